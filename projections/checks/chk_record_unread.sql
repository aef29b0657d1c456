-- TB-03: records of sessions whose data this Recoup cannot read.
-- Grain: one record. Units: none; must return no row.
-- Readers: compliance; a later Recoup may read them.
SELECT
    'TB-03' AS rule,
    subject,
    cite,
    topic,
    occurred_at,
    why,
    data
FROM fct_record_unread
