-- Bets as they stand: chips staked or taken up again, with the position, or the box and spot, where the event names one.
-- Grain: one movement of chips with the cause stake. Units: minor units of currency; staked_minor is negative for
-- chips that went back from the layout or the pot, so that its sum is what was at stake.
-- Readers: reports. player: who staked (a seat's by the settlement), or the seat; data: all that the event says.
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
    s.game,
    coalesce(s.judged_house, m.house) AS house,
    m.unit,
    m.topic,
    m.stake,
    CASE
        WHEN m.from_place LIKE 'player/%' THEN substr(m.from_place, 8)
        WHEN m.to_place LIKE 'player/%' THEN substr(m.to_place, 8)
        WHEN t.player <> '' THEN t.player
        WHEN m.to_place LIKE 'seat/%' THEN m.to_place
        ELSE m.from_place
    END AS player,
    m.data ->> '$.position' AS position,
    CAST(m.data ->> '$.box' AS INTEGER) AS box,
    m.data ->> '$.spot' AS spot,
    m.from_place,
    m.to_place,
    m.amount_minor,
    CASE
        WHEN m.from_place LIKE 'box/%' OR m.from_place = 'pot' THEN -m.amount_minor
        ELSE m.amount_minor
    END AS staked_minor,
    m.data
FROM @moves(standing) AS m
LEFT JOIN judged_session AS s ON s.subject = m.subject
LEFT JOIN (
    SELECT
        subject,
        round,
        stake,
        min(player) AS player
    FROM judged_stake
    GROUP BY ALL
) AS t ON t.subject = m.subject AND t.round = m.round AND t.stake = m.stake
LEFT JOIN foreign_stake AS w ON w.subject = m.subject AND w.stake = m.stake
WHERE m.cause = 'stake'
