-- Movements of chips as they stand: every event that states one, whatever its type, corrections applied.
-- Grain: one movement (a record may state several: part). Units: amount_minor minor units of currency.
-- Readers: reports, checks. Places: float, pot, rake, drop, desk/x, seat/n, box/x, player/x.
SELECT
    m.idx,
    m.part,
    m.subject || '#' || m.round AS address,
    m.subject,
    m.round,
    m.sequence || '@' || m.origin AS cite,
    CASE WHEN s.is_time_known IS DISTINCT FROM false THEN make_timestamptz(m.occurred_ms * 1000) END AS occurred_at,
    s.gaming_day,
    coalesce(w.currency, s.currency) AS currency,
    coalesce(s.judged_house, m.house) AS house,
    m.unit,
    m.topic,
    m.from_place,
    m.to_place,
    m.amount_minor,
    m.cause,
    m.stake,
    m.slip
FROM @moves(standing) AS m
LEFT JOIN judged_session AS s ON s.subject = m.subject
LEFT JOIN foreign_stake AS w ON w.subject = m.subject AND w.stake = m.stake
