-- Players whose cash of a gaming day reaches the identification threshold, or may where no rate is stored.
-- Grain: one player and gaming day. Units: _minor minor units; rate_thousandths: thousandths of a crown for one euro, as
-- the house stored it for that day (`recoup rate`). reaches: yes (in one payment: is_in_one, or in all), or unknown, where
-- what can be compared does not reach it and without_rate names the currencies paid that have no rate.
-- A payment is money tendered at a table, or chips bought, cashed out or exchanged at a desk; in and out are added up.
-- Readers: compliance. Persons: person.
-- Parameter $threshold_eur: 1000; whole euro from which on a player is identified
WITH paid AS (
    SELECT house, gaming_day, player, currency, amount_minor, subject, address, cite
    FROM fct_tender
    WHERE house = $house AND ($day IS NULL OR gaming_day = CAST($day AS DATE))
    UNION ALL
    SELECT
        house,
        gaming_day,
        substr(CASE WHEN from_place = 'float' THEN to_place ELSE from_place END, 8) AS player,
        currency,
        amount_minor,
        subject,
        address,
        cite
    FROM fct_chip_move
    WHERE
        house = $house
        AND ($day IS NULL OR gaming_day = CAST($day AS DATE))
        AND subject LIKE 'desk/%'
        AND cause IN ('buy_in', 'cash_out', 'exchange')
        AND (to_place LIKE 'player/%' OR from_place LIKE 'player/%')
),

rated AS (
    SELECT
        p.*,
        (
            SELECT arg_max(r.thousandths, (r.first_day, r.idx))
            FROM fct_rate AS r
            WHERE r.house = p.house AND r.currency = 'CZK' AND r.first_day <= p.gaming_day
        ) AS thousandths
    FROM paid AS p
),

weighed AS (
    SELECT
        *,
        CASE
            WHEN currency = 'EUR' THEN amount_minor * coalesce(thousandths, 1)
            WHEN currency = 'CZK' AND thousandths IS NOT NULL THEN amount_minor * 1000
        END AS weight,
        CAST($threshold_eur AS BIGINT) * 100 * coalesce(thousandths, 1) AS threshold
    FROM rated
)

SELECT
    player,
    gaming_day,
    count(*) AS payments,
    CAST(sum(CASE WHEN currency = 'CZK' THEN amount_minor ELSE 0 END) AS BIGINT) AS czk_minor,
    CAST(sum(CASE WHEN currency = 'EUR' THEN amount_minor ELSE 0 END) AS BIGINT) AS eur_minor,
    max(thousandths) AS rate_thousandths,
    CASE WHEN coalesce(sum(weight) >= max(threshold), false) THEN 'yes' ELSE 'unknown' END AS reaches,
    coalesce(max(weight) >= max(threshold), false) AS is_in_one,
    coalesce(list_sort(list_distinct(list(currency) FILTER (weight IS NULL))), []) AS without_rate,
    list_sort(list_distinct(list(subject))) AS subjects,
    list_sort(list(cite)) AS cites
FROM weighed
GROUP BY player, gaming_day
HAVING count(weight) < count(*) OR sum(weight) >= max(threshold)
ORDER BY gaming_day, player
