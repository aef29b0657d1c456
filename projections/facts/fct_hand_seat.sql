-- Poker hands seat by seat: who was dealt in with what, which cards are known, what he put in and got.
-- Grain: one seat dealt in to one hand. Units: _minor minor units of currency. The money is what is due,
-- recorded_paid_minor what was really paid; NULL for a seat that put nothing in and got nothing.
-- Readers: reports, people. cards: all that any record names, hidden ones too, after the last misdeal; shown: those
-- turned up. contends: he can still win a pot at the end. is_all_in: by his stack, or said.
WITH told AS (
    SELECT
        idx,
        subject,
        round,
        kind,
        unit,
        unnest(TRY_CAST(data -> '$.seats' AS INTEGER[])) AS seat,
        unnest(TRY_CAST(data -> '$.players' AS VARCHAR[])) AS player,
        unnest(TRY_CAST(data -> '$.stacks' AS BIGINT[])) AS stack
    FROM standing
    WHERE topic = 'PK.LineUp.v1'
    UNION ALL
    SELECT
        idx,
        subject,
        round,
        kind,
        unit,
        TRY_CAST(data ->> '$.seat' AS INTEGER) AS seat,
        data ->> '$.player' AS player,
        TRY_CAST(data ->> '$.stack' AS BIGINT) AS stack
    FROM standing
    WHERE topic = 'PK.PlayerDealtIn.v1' AND (data ->> '$.status') IS DISTINCT FROM 'absent'
),

sits AS (
    SELECT
        subject,
        round,
        seat,
        min(kind) AS kind,
        min(unit) AS unit,
        arg_max(player, idx) AS player,
        arg_max(stack, idx) AS stack
    FROM told
    WHERE round IS NOT NULL AND seat IS NOT NULL
    GROUP BY subject, round, seat
),

misdealt AS (
    SELECT
        subject,
        round,
        max(idx) AS idx
    FROM standing
    WHERE topic = 'PK.MisdealDeclared.v1'
    GROUP BY subject, round
),

cards AS (
    SELECT
        c.subject,
        c.round,
        coalesce(c.seat, TRY_CAST(regexp_extract(c.place, '^seat/([0-9]+)$', 1) AS INTEGER)) AS seat,
        list_sort(list(DISTINCT c.card)) AS cards,
        list_sort(list(DISTINCT c.card) FILTER (c.topic = 'PK.HandShown.v1')) AS shown
    FROM @cards(standing) AS c
    LEFT JOIN misdealt AS m ON m.subject = c.subject AND m.round = c.round
    WHERE
        c.topic IN (
            'PK.HoleDealt.v1', 'PK.HandsDealt.v1', 'PK.CardDealt.v1', 'PK.HandShown.v1', 'PK.HandMucked.v1'
        )
        AND c.card <> '??'
        AND (m.idx IS NULL OR c.idx > m.idx)
    GROUP BY ALL
),

acts AS (
    SELECT
        subject,
        round,
        TRY_CAST(data ->> '$.seat' AS INTEGER) AS seat,
        bool_or(topic = 'PK.ActionTaken.v1') AS said_all_in,
        bool_or(topic = 'PK.HandMucked.v1') AS is_mucked
    FROM standing
    WHERE
        topic = 'PK.HandMucked.v1'
        OR (topic = 'PK.ActionTaken.v1' AND data ->> '$.all_in' = 'true')
    GROUP BY ALL
)

SELECT
    h.subject || '#' || h.round AS address,
    h.subject,
    h.round,
    h.kind,
    s.judged_house AS house,
    h.unit,
    s.game,
    s.currency,
    s.gaming_day,
    h.seat,
    h.player,
    h.stack AS stack_minor,
    coalesce(c.cards, []) AS cards,
    coalesce(c.shown, []) AS shown,
    t.staked AS staked_minor,
    t.returned AS returned_minor,
    t.paid AS paid_minor,
    t.net AS net_minor,
    t.recorded_paid AS recorded_paid_minor,
    t.contends,
    coalesce(a.is_mucked, false) AS is_mucked,
    coalesce(a.said_all_in, false) OR coalesce(h.stack > 0 AND t.staked >= h.stack, false) AS is_all_in
FROM sits AS h
INNER JOIN judged_session AS s ON s.subject = h.subject
LEFT JOIN judged_stake AS t ON t.subject = h.subject AND t.round = h.round AND t.stake = 'seat/' || h.seat
LEFT JOIN cards AS c ON c.subject = h.subject AND c.round = h.round AND c.seat = h.seat
LEFT JOIN acts AS a ON a.subject = h.subject AND a.round = h.round AND a.seat = h.seat
