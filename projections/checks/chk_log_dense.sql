-- Rows of the log that the view should have and has not, or has twice; versions of a stream likewise.
-- Grain: one stream, or the whole log (stream NULL). Units: counts of rows; must return no row.
-- Readers: whoever doubts the view; `views rebuild` makes it anew, `verify` asks the log itself.
SELECT
    NULL AS stream,
    count(*) AS records,
    max(idx) + 1 AS expected
FROM stg_record
HAVING count(*) <> coalesce(max(idx) + 1, 0) OR count(DISTINCT idx) <> count(*)
UNION ALL
SELECT
    stream,
    count(*) AS records,
    max(version) - min(version) + 1 AS expected
FROM stg_record
GROUP BY stream
HAVING count(*) <> max(version) - min(version) + 1 OR count(DISTINCT version) <> count(*)
