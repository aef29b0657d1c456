-- Bets that came too late and were paid all the same.
-- Grain: one bet. Units: minor units of currency; paid: the win on record, on top of the stake. Bets put down, or moved
-- where the rules void them for it, after they were closed; not what else is late: a payment, a removal, a decision.
-- Readers: compliance, surveillance. Persons: person.
SELECT
    f.address,
    s.unit,
    f.gaming_day,
    f.about AS bet,
    t.player,
    f.rule,
    f.code,
    t.currency,
    t.recorded_staked_minor AS staked_minor,
    t.recorded_paid_minor AS paid_minor,
    t.difference_minor,
    f.events AS cites
FROM fct_finding AS f
INNER JOIN fct_session AS s ON s.subject = f.subject
INNER JOIN fct_settlement AS t ON t.address = f.address AND t.stake = f.about
WHERE
    f.house = $house
    AND ($day IS NULL OR f.gaming_day = CAST($day AS DATE))
    AND regexp_full_match(f.code, 'late_(bet|call_bet|ante|bonus|trips|insurance|move)')
    AND (f.code <> 'late_move' OR f.kind = 'void')
    AND t.recorded_paid_minor > 0
ORDER BY f.gaming_day, f.address, f.ordinal
