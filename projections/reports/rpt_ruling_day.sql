-- Rulings in force and what they do to the house's win: told apart from what the tables themselves counted.
-- Grain: one ruling and currency in which it moves money, that of its tables always. Units: minor units of currency;
-- owed_minor: what players get by it in all, less what they owe.
-- Readers: `recoup night`, managers. win_effect = - owed; settled: paid less received by its dispute so far, under
-- rulings that it replaces too. A ruling over several sessions stands with the first of them, where all its amounts are
-- told. players: how many it moves money of; open_players: with how many something is still open.
WITH applied AS (
    SELECT
        ruling,
        arg_min(subject, idx) AS subject,
        arg_min(gaming_day, idx) AS gaming_day,
        arg_min(dispute, idx) AS dispute,
        arg_min(ground, idx) AS ground,
        arg_min(remedy, idx) AS remedy,
        arg_min(basis, idx) AS basis,
        arg_min(coalesce(TRY_CAST(data -> '$.amounts' AS MAP(VARCHAR, BIGINT)), MAP {}), idx) AS amounts,
        arg_min(coalesce(TRY_CAST(data -> '$.foreign' AS MAP(VARCHAR, MAP(VARCHAR, BIGINT))), MAP {}), idx) AS abroad,
        list_sort(list_distinct(flatten(list(coalesce(rounds, []))))) AS rounds,
        list_sort(list(cite)) AS cites
    FROM fct_ruling
    GROUP BY ruling
),

settled AS (
    SELECT
        ruling,
        currency,
        CAST(sum(moved_minor) AS BIGINT) AS settled_minor,
        count(*) FILTER (WHERE open_minor <> 0) AS open_players
    FROM fct_ruling_amount
    GROUP BY ruling, currency
),

owed AS (
    SELECT
        * EXCLUDE (abroad),
        NULL AS currency
    FROM applied
    UNION ALL BY NAME
    SELECT
        * EXCLUDE (amounts, abroad),
        unnest(map_keys(abroad)) AS currency,
        unnest(map_values(abroad)) AS amounts
    FROM applied
    UNION ALL BY NAME
    SELECT
        a.* EXCLUDE (amounts, abroad),
        t.currency,
        CAST(MAP {} AS MAP(VARCHAR, BIGINT)) AS amounts  -- it owes nothing, one that it replaces has moved some
    FROM applied AS a
    INNER JOIN settled AS t ON t.ruling = a.ruling
    WHERE t.currency IS NOT NULL AND NOT list_contains(map_keys(a.abroad), t.currency)
)

SELECT
    s.house,
    a.gaming_day,
    s.unit,
    a.subject,
    coalesce(a.currency, s.currency) AS currency,
    s.game,
    a.ruling,
    a.dispute,
    a.ground,
    a.remedy,
    a.basis,
    a.rounds,
    CAST(len(a.rounds) AS BIGINT) AS rounds_ruled,
    coalesce(CAST(list_sum(map_values(a.amounts)) AS BIGINT), 0) AS owed_minor,
    -coalesce(CAST(list_sum(map_values(a.amounts)) AS BIGINT), 0) AS win_effect_minor,
    CAST(coalesce(len(map_keys(a.amounts)), 0) AS BIGINT) AS players,
    coalesce(t.open_players, 0) AS open_players,
    coalesce(t.settled_minor, 0) AS settled_minor,
    a.cites
FROM owed AS a
INNER JOIN fct_session AS s ON s.subject = a.subject
LEFT JOIN settled AS t ON t.ruling = a.ruling AND t.currency IS NOT DISTINCT FROM a.currency
WHERE a.ruling NOT IN (SELECT replaces FROM fct_ruling WHERE replaces IS NOT NULL)
