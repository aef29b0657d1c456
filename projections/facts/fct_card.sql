-- Cards as they stand: each card that a fact names, dealt, burned, exposed, shown or found.
-- Grain: one card named in one fact. Units: n counts the cards of its record from 1, seq places off the deck.
-- Readers: people. place, seat and seq where the event states them; ?? is a card that nobody saw.
SELECT
    c.idx,
    c.n,
    c.subject || '#' || c.round AS address,
    c.subject,
    c.round,
    c.sequence || '@' || c.origin AS cite,
    CASE WHEN s.is_time_known IS DISTINCT FROM false THEN make_timestamptz(c.occurred_ms * 1000) END AS occurred_at,
    s.gaming_day,
    s.game,
    c.topic,
    c.card,
    c.place,
    c.seat,
    c.seq
FROM @cards(standing) AS c
LEFT JOIN judged_session AS s ON s.subject = c.subject
