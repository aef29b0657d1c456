-- Cards as recorded, corrected and disowned records included; fct_card has them as they stand.
-- Grain: one card named in one record. Units: n counts the cards of its record from 1, seq places off the deck.
-- Readers: people who ask what a correction changed.
SELECT
    idx,
    n,
    subject,
    round,
    sequence || '@' || origin AS cite,
    make_timestamptz(occurred_ms * 1000) AS occurred_at,
    topic,
    card,
    place,
    seat,
    seq
FROM @cards(recorded)
WHERE kind IN ('table', 'tournament', 'desk', 'import')
