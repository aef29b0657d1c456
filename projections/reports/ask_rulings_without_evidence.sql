-- Rulings that move money or void a round and name nothing that was looked at.
-- Grain: one ruling in one session. Units: none. reason: the one for which it was issued, else for which it was proposed.
-- Readers: compliance, managers.
WITH proposed AS (
    SELECT data ->> '$.ruling' AS ruling, arg_max(reason, idx) AS reason
    FROM stg_record
    WHERE topic = 'DS.RulingProposed.v1' AND is_ours
    GROUP BY ALL
)

SELECT
    coalesce(r.rounds[1], r.subject) AS address,
    r.subject,
    r.gaming_day,
    r.ruling,
    r.dispute,
    r.ground,
    r.remedy,
    r.basis,
    r.decided_by,
    r.recorded_at,
    coalesce(r.reason, p.reason) AS reason,
    [r.cite] AS cites
FROM fct_ruling AS r
INNER JOIN fct_session AS s ON s.subject = r.subject
LEFT JOIN proposed AS p ON p.ruling = r.ruling
WHERE
    s.house = $house
    AND ($day IS NULL OR r.gaming_day = CAST($day AS DATE))
    AND r.remedy NOT IN ('valid', 'penalty')
    AND coalesce(len(TRY_CAST(r.data -> '$.evidence' AS VARCHAR[])), 0) = 0
ORDER BY r.gaming_day, r.idx
