-- Stakes that were settled otherwise than the rules say.
-- Grain: one stake of a round. Units: minor units of currency; difference_minor positive: owed to the player.
-- Readers: surveillance, managers.
SELECT
    t.address,
    t.house,
    t.game,
    t.gaming_day,
    r.opened_at,
    t.stake,
    t.player,
    t.what,
    t.rule,
    t.currency,
    t.net_minor,
    t.recorded_net_minor,
    t.difference_minor,
    r.standing
FROM fct_settlement AS t
INNER JOIN fct_round AS r ON r.address = t.address
WHERE t.difference_minor <> 0
