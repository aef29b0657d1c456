-- Rounds with their verdicts: standing, settlement, and the money due in all.
-- Grain: one round of a session. Units: _minor minor units of currency; times with offset; ordinal counts from 1.
-- Stakes in another currency than the table's are in no sum: other_currencies names it, fct_settlement has them.
-- Readers: reports, checks. standing is NULL where the session could not be judged (fct_session.problem).
SELECT
    r.subject || '#' || r.round AS address,
    r.subject,
    r.round,
    r.ordinal,
    s.judged_house AS house,
    s.game,
    s.rule_book,
    s.currency,
    s.gaming_day,
    CASE WHEN s.is_time_known THEN make_timestamptz(r.opened_ms * 1000) END AS opened_at,
    CASE WHEN s.is_time_known THEN make_timestamptz(r.closed_ms * 1000) END AS closed_at,
    r.standing,
    r.settlement,
    r.is_due_known,
    r.is_touched,
    r.staked AS staked_minor,
    r.taken AS taken_minor,
    r.returned AS returned_minor,
    r.paid AS paid_minor,
    r.held AS held_minor,
    r.pots,
    r.rake AS rake_minor,
    r.recorded_rake AS recorded_rake_minor,
    r.difference AS difference_minor,
    r.other_currencies,
    r.candidates,
    s.edition,
    s.edition_digest,
    r.digest,
    r.engine
FROM judged_round AS r
INNER JOIN judged_session AS s ON s.subject = r.subject
