-- Sessions: who plays what where, in which gaming day, under which edition.
-- Grain: one session (a table from opening to close, a desk's interval, an imported hand). Units: times with offset.
-- Readers: reports, checks. house: `import` for imported hands, whose times nobody may know (then none); problem says why a session could not be judged; a desk is not judged.
SELECT
    j.subject,
    s.kind,
    j.judged_house AS house,
    s.unit,
    s.session,
    j.game,
    j.rule_book,
    j.currency,
    j.gaming_day,
    CASE WHEN j.is_time_known THEN make_timestamptz(j.opened_ms * 1000) END AS opened_at,
    CASE WHEN j.is_time_known THEN make_timestamptz(j.closed_ms * 1000) END AS closed_at,
    j.edition,
    j.edition_digest,
    j.problem
FROM judged_session AS j
INNER JOIN (SELECT DISTINCT subject, kind, unit, session FROM stream) AS s ON s.subject = j.subject
