-- What rulings in force owe players, net of all that their disputes have dealt with, as `Dispute.net` has it.
-- Grain: one player of one ruling in force and currency (NULL: that of its tables). Units: minor units, signed: what he
-- gets or owes.
-- Readers: reports. moved: paid or received, under a ruling replaced by this one too; open: money that moved counts in
-- full, what was retained or waived against as much of the same claim or debt.
WITH applied AS (
    SELECT
        idx,
        data ->> '$.ruling' AS ruling,
        data ->> '$.replaces' AS replaces,
        data ->> '$.dispute' AS dispute,
        TRY_CAST(data -> '$.amounts' AS MAP(VARCHAR, BIGINT)) AS amounts,
        coalesce(TRY_CAST(data -> '$.foreign' AS MAP(VARCHAR, MAP(VARCHAR, BIGINT))), MAP {}) AS abroad
    FROM recorded
    WHERE topic = 'DS.RulingApplied.v1' AND is_ours
),

in_force AS (
    SELECT
        ruling,
        arg_min(dispute, idx) AS dispute,
        arg_min(amounts, idx) AS amounts,
        arg_min(abroad, idx) AS abroad
    FROM applied
    WHERE ruling NOT IN (SELECT replaces FROM applied WHERE replaces IS NOT NULL)
    GROUP BY ruling
),

settled AS (
    SELECT
        unit AS dispute,
        data ->> '$.player' AS player,
        data ->> '$.currency' AS currency,
        coalesce(data ->> '$.how' IN ('paid', 'received'), FALSE) AS has_moved,
        coalesce(TRY_CAST(regexp_extract(data ->> '$.amount', '^-?[0-9]+$') AS BIGINT), 0) AS amount_minor
    FROM recorded
    WHERE topic = 'DS.EffectSettled.v1' AND is_ours AND kind = 'dispute'
),

owed AS (
    SELECT
        ruling,
        NULL AS currency,
        amounts
    FROM in_force
    UNION ALL
    SELECT
        ruling,
        unnest(map_keys(abroad)) AS currency,
        unnest(map_values(abroad)) AS amounts
    FROM in_force
),

moves AS (
    SELECT
        ruling,
        currency,
        unnest(map_keys(amounts)) AS player,
        unnest(map_values(amounts)) AS owed_minor,
        0 AS moved_minor,
        0 AS given_up_minor
    FROM owed
    UNION ALL
    SELECT
        r.ruling,
        e.currency,
        e.player,
        0 AS owed_minor,
        CASE WHEN e.has_moved THEN e.amount_minor ELSE 0 END AS moved_minor,
        CASE WHEN e.has_moved THEN 0 ELSE e.amount_minor END AS given_up_minor
    FROM settled AS e
    INNER JOIN in_force AS r ON r.dispute = e.dispute
),

netted AS (
    SELECT
        ruling,
        currency,
        player,
        CAST(sum(owed_minor) AS BIGINT) AS owed_minor,
        CAST(sum(moved_minor) AS BIGINT) AS moved_minor,
        CAST(sum(owed_minor - moved_minor) AS BIGINT) AS left_minor,
        CAST(sum(greatest(given_up_minor, 0)) AS BIGINT) AS claims_minor,
        CAST(sum(least(given_up_minor, 0)) AS BIGINT) AS debts_minor
    FROM moves
    GROUP BY ruling, currency, player
)

SELECT
    ruling,
    currency,
    player,
    owed_minor,
    moved_minor,
    CASE
        WHEN left_minor > 0 THEN greatest(left_minor - claims_minor, 0)
        ELSE least(left_minor - debts_minor, 0)
    END AS open_minor
FROM netted
