-- Poker hands: who played, who won how much, on which board, and what was found.
-- Grain: one hand. Units: _minor minor units of currency; the pot without uncalled bets, rake included.
-- Readers: `recoup hands find`, people. players and seats stand side by side, by seat; winners: who got chips of a pot,
-- by what is on record, else by what is due. boards: one text a board, `Ah Kd 2c`; showdown: two or more hands were
-- left at the end. findings: rules, each once. opened_at NULL: nobody knows when it was played.
WITH seats AS (
    SELECT
        address,
        min(kind) AS kind,
        min(unit) AS unit,
        list(seat ORDER BY seat) AS seats,
        list(player ORDER BY seat) AS players,
        list(player ORDER BY seat) FILTER (coalesce(recorded_paid_minor, paid_minor) > 0) AS winners,
        count_if(contends) AS contenders,
        bool_or(is_mucked) AS is_mucked,
        bool_or(is_all_in) AS is_all_in
    FROM fct_hand_seat
    GROUP BY address
),

board AS (
    SELECT
        address,
        board,
        list(card ORDER BY idx, n) AS cards
    FROM fct_board_card
    WHERE NOT is_rabbit
    GROUP BY address, board
),

boards AS (
    SELECT
        address,
        list(array_to_string(cards, ' ') ORDER BY board) AS boards,
        list_distinct(flatten(list(cards))) AS cards
    FROM board
    GROUP BY address
),

found AS (
    SELECT
        address,
        list_sort(list(DISTINCT rule)) AS rules,
        list_sort(list(DISTINCT via) FILTER (via <> '')) AS vias
    FROM fct_finding
    WHERE address IS NOT NULL
    GROUP BY address
)

SELECT
    r.address,
    r.subject,
    r.round,
    r.ordinal,
    s.kind,
    r.house,
    s.unit,
    r.game,
    r.currency,
    r.gaming_day,
    r.opened_at,
    i.site,
    i.site_hand,
    s.seats,
    s.players,
    coalesce(s.winners, []) AS winners,
    r.taken_minor + r.held_minor AS pot_minor,
    r.recorded_rake_minor,
    coalesce(b.boards, []) AS boards,
    coalesce(b.cards, []) AS board_cards,
    s.contenders > 1 OR s.is_mucked AS is_showdown,
    s.is_all_in,
    r.standing,
    r.settlement,
    coalesce(f.rules, []) AS findings,
    coalesce(f.vias, []) AS findings_via
FROM seats AS s
INNER JOIN fct_round AS r ON r.address = s.address
LEFT JOIN boards AS b ON b.address = s.address
LEFT JOIN found AS f ON f.address = s.address
LEFT JOIN (
    SELECT
        subject,
        arg_max(site, idx) AS site,
        arg_max(site_hand, idx) AS site_hand
    FROM stg_imported_hand
    GROUP BY subject
) AS i ON i.subject = r.subject
