-- Fills and credits shortly before a table closed.
-- Grain: one fill or credit. Units: minor units of currency; before_close_s seconds until the close.
-- Readers: night auditor.
-- Parameter $minutes: 30; how long before the close
SELECT
    m.subject,
    m.unit,
    m.gaming_day,
    m.occurred_at,
    s.closed_at,
    date_diff('second', m.occurred_at, s.closed_at) AS before_close_s,
    CASE WHEN m.to_place = 'float' THEN 'fill' ELSE 'credit' END AS what,
    m.slip,
    m.currency,
    m.amount_minor,
    [m.cite] AS cites
FROM fct_chip_move AS m
INNER JOIN fct_session AS s ON s.subject = m.subject
WHERE
    m.house = $house
    AND ($day IS NULL OR m.gaming_day = CAST($day AS DATE))
    AND s.kind = 'table'
    AND m.cause IN ('fill', 'credit')
    AND date_diff('second', m.occurred_at, s.closed_at) BETWEEN 0 AND CAST($minutes AS BIGINT) * 60
ORDER BY m.gaming_day, m.unit, m.occurred_at
