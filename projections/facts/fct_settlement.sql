-- Settlements: what is due for each stake, what is on record, and the difference between the two.
-- Grain: one stake of a round. Units: _minor minor units of currency; difference_minor positive: owed to the player.
-- Readers: reports, checks. A side that has no line for the stake is NULL. net = paid - taken.
SELECT
    t.subject || '#' || t.round AS address,
    t.subject,
    t.round,
    t.ordinal,
    s.judged_house AS house,
    s.game,
    coalesce(t.currency, s.currency) AS currency,
    s.gaming_day,
    t.stake,
    t.player,
    t.what,
    t.rule,
    t.reasons,
    t.staked AS staked_minor,
    t.taken AS taken_minor,
    t.returned AS returned_minor,
    t.paid AS paid_minor,
    t.held AS held_minor,
    t.stands AS stands_minor,
    t.net AS net_minor,
    t.recorded_staked AS recorded_staked_minor,
    t.recorded_taken AS recorded_taken_minor,
    t.recorded_returned AS recorded_returned_minor,
    t.recorded_paid AS recorded_paid_minor,
    t.recorded_net AS recorded_net_minor,
    t.difference AS difference_minor
FROM judged_stake AS t
INNER JOIN judged_session AS s ON s.subject = t.subject
