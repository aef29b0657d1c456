-- Chips that left a table for no settlement, purchase or slip: off a stack in mid-play, out of the float, to a desk.
-- Grain: one movement. Units: minor units of currency.
-- Readers: surveillance, night auditor. Persons: person.
SELECT
    address,
    subject,
    unit,
    gaming_day,
    occurred_at,
    from_place,
    to_place,
    cause,
    currency,
    amount_minor,
    slip,
    [cite] AS cites
FROM fct_chip_move
WHERE
    house = $house
    AND ($day IS NULL OR gaming_day = CAST($day AS DATE))
    AND subject LIKE 'table/%'
    AND (
        (
            (from_place IN ('float', 'rake') AND NOT to_place LIKE 'desk/%')
            AND cause NOT IN ('win', 'return', 'buy_in', 'ruling', 'correction', 'award', 'rake')
        )
        OR (
            (from_place LIKE 'seat/%' AND to_place LIKE 'player/%')
            AND cause NOT IN ('cash_out', 'seat_change', 'ruling')
        )
        OR (to_place LIKE 'desk/%' AND slip = '')
    )
ORDER BY occurred_at, address, cites
