-- Rulings as applied to the sessions that they touch.
-- Grain: one ruling in one session. Units: amounts in data are minor units, signed: what a player gets or owes.
-- Readers: managers, reports.
SELECT
    r.idx,
    r.subject,
    r.sequence || '@' || r.origin AS cite,
    s.gaming_day,
    r.data ->> '$.ruling' AS ruling,
    r.data ->> '$.dispute' AS dispute,
    r.data ->> '$.ground' AS ground,
    r.data ->> '$.scope' AS scope,
    coalesce(r.data ->> '$.remedy', 'void') AS remedy,
    coalesce(r.data ->> '$.basis', 'book') AS basis,
    TRY_CAST(r.data -> '$.rounds' AS VARCHAR[]) AS rounds,
    r.data ->> '$.decided_by' AS decided_by,
    r.data ->> '$.replaces' AS replaces,
    make_timestamptz(r.recorded_us) AS recorded_at,
    r.account,
    r.reason,
    r.data
FROM recorded AS r
LEFT JOIN judged_session AS s ON s.subject = r.subject
WHERE r.topic = 'DS.RulingApplied.v1' AND r.is_ours
