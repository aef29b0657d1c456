-- Chip movements as recorded, corrected and disowned records included; fct_chip_move has them as they stand.
-- Grain: one movement (a record may state several). Units: amount_minor minor units of the session's currency.
-- Readers: people who ask what a correction changed.
SELECT
    idx,
    part,
    subject,
    round,
    sequence || '@' || origin AS cite,
    make_timestamptz(occurred_ms * 1000) AS occurred_at,
    topic,
    from_place,
    to_place,
    amount_minor,
    cause,
    stake,
    slip
FROM @moves(recorded)
WHERE kind IN ('table', 'tournament', 'desk', 'import')
