-- Rulings as applied to the sessions that they touch, where they rule on a round there.
-- Grain: one ruling in one session. Units: amounts in data are minor units, signed: what a player gets or owes.
-- Readers: managers, reports. freed: rounds of the session that only the ruling which it replaces had reached; a ruling
-- that does nothing but free rounds of a session is none there. Before there was `freed`, those stood in `rounds`, as if
-- they were corrected without amounts, and rested on nothing.
WITH applied AS (
    SELECT
        *,
        data ->> '$.ruling' AS ruling,
        data ->> '$.dispute' AS dispute,
        data ->> '$.ground' AS ground,
        data ->> '$.scope' AS scope,
        coalesce(data ->> '$.remedy', 'void') AS remedy,
        coalesce(data ->> '$.basis', 'book') AS basis,
        TRY_CAST(data -> '$.rounds' AS VARCHAR[]) AS rounds,
        coalesce(TRY_CAST(data -> '$.freed' AS VARCHAR[]), []) AS freed,
        data ->> '$.decided_by' AS decided_by,
        data ->> '$.replaces' AS replaces
    FROM recorded
    WHERE topic = 'DS.RulingApplied.v1' AND is_ours
)

SELECT
    r.idx,
    r.subject,
    r.sequence || '@' || r.origin AS cite,
    s.gaming_day,
    r.ruling,
    r.dispute,
    r.ground,
    r.scope,
    r.remedy,
    r.basis,
    r.rounds,
    r.freed,
    r.decided_by,
    r.replaces,
    make_timestamptz(r.recorded_us) AS recorded_at,
    r.account,
    r.reason,
    r.data
FROM applied AS r
LEFT JOIN judged_session AS s ON s.subject = r.subject
WHERE
    (r.rounds IS NOT NULL OR len(r.freed) = 0)
    AND NOT (
        r.remedy = 'correct' AND r.dispute IS NOT NULL AND r.replaces IS NOT NULL AND len(r.freed) = 0
        AND (r.data -> '$.amounts') IS NULL AND (r.data -> '$.rests_on') IS NULL
    )
