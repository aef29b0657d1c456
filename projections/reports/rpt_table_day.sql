-- A table's gaming day: stakes, counts, fills, credits, drop, the win by the count and the win by the games.
-- Grain: one table, gaming day and currency. Units: minor units of currency; NULL until everything is counted.
-- Readers: `recoup night`, managers. tender: cash and vouchers on record, drop: those counted; rake: by settlements,
-- rake_box: counted. win = closing + credits + drop + rake box - opening - fills; game_win: what settlements on record
-- moved to float and rake box less what they moved out. win - game_win = cash + chips + rake box differences + other.
-- voids: rounds that are void, by the facts or a ruling. A table's stakes in another currency have a row of their own
-- there, with bets and game_win; its win is NULL, since nobody counts them, and their rounds stand in the table's row.
WITH played AS (
    SELECT
        subject,
        count(*) AS rounds,
        count_if(standing = 'void') AS voids
    FROM fct_round
    GROUP BY subject
),

book AS (
    SELECT
        *,
        FALSE AS is_foreign
    FROM fct_book
    WHERE kind = 'table'
),

part AS (
    SELECT * FROM book
    UNION ALL BY NAME
    SELECT
        subject,
        house,
        unit,
        gaming_day,
        game,
        0 AS opening_minor,
        0 AS closing_minor,
        0 AS tender_minor,
        0 AS drop_minor,
        0 AS fill_minor,
        0 AS credit_minor,
        0 AS rake_minor,
        0 AS rake_box_minor,
        0 AS other_minor,
        TRUE AS is_foreign,
        unnest(foreign_chips).currency AS currency,
        unnest(foreign_chips).bets AS bets,
        unnest(foreign_chips).staked_minor AS staked_minor,
        unnest(foreign_chips).float_minor AS game_win_minor
    FROM book
)

SELECT
    b.house,
    b.unit,
    b.gaming_day,
    b.currency,
    min(b.game) AS game,
    count(DISTINCT b.subject) AS sessions,
    CAST(sum(coalesce(p.rounds, 0)) AS BIGINT) AS rounds,
    CAST(sum(coalesce(p.voids, 0)) AS BIGINT) AS voids,
    CAST(sum(b.bets) AS BIGINT) AS bets,
    CAST(sum(b.staked_minor) AS BIGINT) AS staked_minor,
    CAST(sum(b.tender_minor) AS BIGINT) AS tender_minor,
    CAST(sum(b.fill_minor) AS BIGINT) AS fill_minor,
    CAST(sum(b.credit_minor) AS BIGINT) AS credit_minor,
    CASE WHEN count(b.opening_minor) = count(*) THEN CAST(sum(b.opening_minor) AS BIGINT) END AS opening_minor,
    CASE WHEN count(b.closing_minor) = count(*) THEN CAST(sum(b.closing_minor) AS BIGINT) END AS closing_minor,
    CASE WHEN count(b.drop_minor) = count(*) THEN CAST(sum(b.drop_minor) AS BIGINT) END AS drop_minor,
    CAST(sum(b.rake_minor) AS BIGINT) AS rake_minor,
    CASE WHEN count(b.rake_box_minor) = count(*) THEN CAST(sum(b.rake_box_minor) AS BIGINT) END AS rake_box_minor,
    CASE WHEN count(b.win_minor) = count(*) THEN CAST(sum(b.win_minor) AS BIGINT) END AS win_minor,
    CAST(sum(b.game_win_minor) AS BIGINT) AS game_win_minor,
    CASE
        WHEN count(b.drop_minor) = count(*) THEN CAST(sum(b.drop_minor - b.tender_minor) AS BIGINT)
    END AS cash_difference_minor,
    CASE
        WHEN count(b.closing_minor) = count(*) AND count(b.expected_minor) = count(*)
            THEN CAST(sum(b.closing_minor - b.expected_minor) AS BIGINT)
    END AS chip_difference_minor,
    CASE
        WHEN count(b.rake_box_minor) = count(*) THEN CAST(sum(b.rake_box_minor - b.rake_minor) AS BIGINT)
    END AS rake_difference_minor,
    CAST(sum(b.other_minor) AS BIGINT) AS other_minor
FROM part AS b
LEFT JOIN played AS p ON p.subject = b.subject AND NOT b.is_foreign
GROUP BY b.house, b.unit, b.gaming_day, b.currency
