-- A table's gaming day: stakes, drop, fills, credits, and the win of the house.
-- Grain: one table, gaming day and currency. Units: minor units of currency.
-- Readers: night auditor, managers. tender: cash and vouchers on record, drop: those counted; win = closing + credits + drop - opening - fills, NULL until all that is counted;
-- game_win: what settlements on record moved to float and rake box less what they moved out, says the table itself.
WITH moved AS (
    SELECT
        house,
        unit,
        gaming_day,
        currency,
        CAST(sum(CASE WHEN cause = 'fill' AND to_place = 'float' THEN amount_minor ELSE 0 END) AS BIGINT) AS fill_minor,
        CAST(
            sum(CASE WHEN cause = 'credit' AND from_place = 'float' THEN amount_minor ELSE 0 END) AS BIGINT
        ) AS credit_minor,
        CAST(
            sum(
                CASE
                    WHEN cause NOT IN ('win', 'take', 'return', 'rake', 'ruling', 'correction') THEN 0
                    WHEN to_place IN ('float', 'rake') THEN amount_minor
                    WHEN from_place IN ('float', 'rake') THEN -amount_minor
                    ELSE 0
                END
            ) AS BIGINT
        ) AS game_win_minor
    FROM fct_chip_move
    WHERE subject LIKE 'table/%'
    GROUP BY ALL
),

counted AS (
    SELECT
        house,
        unit,
        gaming_day,
        currency,
        CAST(sum(CASE WHEN kind = 'opener' THEN amount_minor END) AS BIGINT) AS opening_minor,
        CAST(sum(CASE WHEN kind = 'closer' THEN amount_minor END) AS BIGINT) AS closing_minor,
        CAST(sum(CASE WHEN kind = 'drop' THEN amount_minor END) AS BIGINT) AS drop_minor,
        count_if(kind = 'opener') AS openers,
        count_if(kind = 'closer') AS closers
    FROM fct_inventory
    WHERE subject LIKE 'table/%'
    GROUP BY ALL
),

tender AS (
    SELECT
        house,
        unit,
        gaming_day,
        currency,
        CAST(sum(amount_minor) AS BIGINT) AS tender_minor
    FROM fct_tender
    GROUP BY ALL
),

bet AS (
    SELECT
        house,
        unit,
        gaming_day,
        currency,
        count_if(staked_minor > 0) AS bets,
        CAST(sum(staked_minor) AS BIGINT) AS staked_minor
    FROM fct_bet
    GROUP BY ALL
),

played AS (
    SELECT
        t.house,
        t.unit,
        t.gaming_day,
        t.currency,
        count(DISTINCT t.subject) AS sessions,
        count(r.address) AS rounds
    FROM fct_session AS t
    LEFT JOIN fct_round AS r ON r.subject = t.subject
    WHERE t.kind = 'table'
    GROUP BY ALL
)

SELECT
    p.house,
    p.unit,
    p.gaming_day,
    p.currency,
    p.sessions,
    p.rounds,
    CAST(coalesce(b.bets, 0) AS BIGINT) AS bets,
    coalesce(b.staked_minor, 0) AS staked_minor,
    coalesce(t.tender_minor, 0) AS tender_minor,
    coalesce(m.fill_minor, 0) AS fill_minor,
    coalesce(m.credit_minor, 0) AS credit_minor,
    c.opening_minor,
    c.closing_minor,
    c.drop_minor,
    CASE
        WHEN c.openers = p.sessions AND c.closers = p.sessions
            THEN
                c.closing_minor + coalesce(m.credit_minor, 0) + c.drop_minor
                - c.opening_minor - coalesce(m.fill_minor, 0)
    END AS win_minor,
    coalesce(m.game_win_minor, 0) AS game_win_minor
FROM played AS p
LEFT JOIN bet AS b
    ON
        b.house = p.house AND b.unit = p.unit AND b.gaming_day IS NOT DISTINCT FROM p.gaming_day
        AND b.currency IS NOT DISTINCT FROM p.currency
LEFT JOIN moved AS m
    ON
        m.house = p.house AND m.unit = p.unit AND m.gaming_day IS NOT DISTINCT FROM p.gaming_day
        AND m.currency IS NOT DISTINCT FROM p.currency
LEFT JOIN counted AS c
    ON
        c.house = p.house AND c.unit = p.unit AND c.gaming_day IS NOT DISTINCT FROM p.gaming_day
        AND c.currency IS NOT DISTINCT FROM p.currency
LEFT JOIN tender AS t
    ON
        t.house = p.house AND t.unit = p.unit AND t.gaming_day IS NOT DISTINCT FROM p.gaming_day
        AND t.currency IS NOT DISTINCT FROM p.currency
