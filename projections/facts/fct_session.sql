-- Sessions: who plays what where, in which gaming day, under which edition.
-- Grain: one session (a table from opening to close, a desk's interval, an imported hand). Units: times with offset.
-- Readers: reports, checks. problem says why a session could not be judged; a desk is not judged.
SELECT
    j.subject,
    s.kind,
    s.house,
    s.unit,
    s.session,
    j.judged_house,
    j.game,
    j.rule_book,
    j.currency,
    j.gaming_day,
    make_timestamptz(j.opened_ms * 1000) AS opened_at,
    make_timestamptz(j.closed_ms * 1000) AS closed_at,
    j.edition,
    j.edition_digest,
    j.problem
FROM judged_session AS j
INNER JOIN (SELECT DISTINCT subject, kind, house, unit, session FROM stream) AS s ON s.subject = j.subject
