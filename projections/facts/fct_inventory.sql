-- Counts of floats, drop boxes and rake boxes as they stand.
-- Grain: one count. Units: amount_minor minor units of currency. kind: opener, closer, cut, recount, drop, rake.
-- Readers: reports.
SELECT
    f.idx,
    f.subject,
    s.gaming_day,
    s.currency,
    coalesce(s.judged_house, f.house) AS house,
    f.unit,
    f.sequence || '@' || f.origin AS cite,
    CASE WHEN s.is_time_known IS DISTINCT FROM false THEN make_timestamptz(f.occurred_ms * 1000) END AS occurred_at,
    CASE f.topic
        WHEN 'TB.DropBoxCounted.v1' THEN 'drop'
        WHEN 'TB.RakeBoxCounted.v1' THEN 'rake'
        ELSE f.data ->> '$.kind'
    END AS kind,
    f.data ->> '$.box' AS box,
    TRY_CAST(regexp_extract(f.data ->> '$.amount', '^[0-9]+$') AS BIGINT) AS amount_minor
FROM standing AS f
LEFT JOIN judged_session AS s ON s.subject = f.subject
WHERE f.topic IN ('TB.InventoryCounted.v1', 'TB.DropBoxCounted.v1', 'TB.RakeBoxCounted.v1')
