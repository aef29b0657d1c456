-- Chips that appear from nowhere or stay behind: a box or pot that gave more than it got, a pot not emptied.
-- Grain: one place of a session, pot by round. Units: left_minor minor units; must return no row.
-- Readers: night auditor. A pot from which nothing went is an unsettled round, not a row.
SELECT
    subject,
    CASE WHEN place = 'pot' THEN round END AS round,
    place,
    CAST(sum(into_minor) - sum(out_minor) AS BIGINT) AS left_minor
FROM (
    SELECT subject, round, to_place AS place, amount_minor AS into_minor, 0 AS out_minor
    FROM fct_chip_move
    UNION ALL
    SELECT subject, round, from_place AS place, 0 AS into_minor, amount_minor AS out_minor
    FROM fct_chip_move
)
WHERE place = 'pot' OR place LIKE 'box/%'
GROUP BY ALL
HAVING
    sum(into_minor) < sum(out_minor)
    OR (place = 'pot' AND sum(out_minor) > 0 AND sum(into_minor) <> sum(out_minor))
