-- What Recoup itself wrote about a record: corrections, disowned records, added facts; each with account and reason.
-- Grain: one authored record. Units: times with offset; data and recorded_data are canonical JSON.
-- Readers: compliance; people who ask why a fact differs from its record.
SELECT
    a.idx,
    a.subject,
    a.about,
    a.topic,
    make_timestamptz(a.recorded_us) AS recorded_at,
    a.account,
    a.reason,
    a.data,
    r.idx AS about_idx,
    r.topic AS about_topic,
    r.data AS recorded_data
FROM recorded AS a
LEFT JOIN recorded AS r ON r.subject = a.subject AND r.sequence || '@' || r.origin = a.about
WHERE a.is_ours AND a.about IS NOT NULL
