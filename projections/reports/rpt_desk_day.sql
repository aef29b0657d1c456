-- A cash desk's gaming day: what it began with, what went to and came from other books and players, what was counted.
-- Grain: one desk, gaming day and currency. Units: minor units of currency; NULL until it is counted.
-- Readers: `recoup night`. in, out: from and to other books; player: bought back less sold to players; chips only: no
-- event tells the desk's cash.
SELECT
    house,
    unit,
    gaming_day,
    currency,
    count(*) AS sessions,
    CASE WHEN count(opening_minor) = count(*) THEN CAST(sum(opening_minor) AS BIGINT) END AS opening_minor,
    CAST(sum(fill_minor) AS BIGINT) AS in_minor,
    CAST(sum(credit_minor) AS BIGINT) AS out_minor,
    CASE
        WHEN count(expected_minor) = count(*)
            THEN CAST(sum(expected_minor - opening_minor - fill_minor + credit_minor) AS BIGINT)
    END AS player_minor,
    CASE WHEN count(closing_minor) = count(*) THEN CAST(sum(closing_minor) AS BIGINT) END AS closing_minor,
    CASE
        WHEN count(closing_minor) = count(*) AND count(expected_minor) = count(*)
            THEN CAST(sum(closing_minor - expected_minor) AS BIGINT)
    END AS chip_difference_minor
FROM fct_book
WHERE kind = 'desk'
GROUP BY house, unit, gaming_day, currency
