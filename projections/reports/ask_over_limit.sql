-- Bets above the limit in force, as the rooms judge them by the limits posted at that moment.
-- Grain: one bet, or the box that it lies in. Units: minor units of currency; money: what the player is owed of it.
-- Readers: compliance. Persons: person.
SELECT
    f.address,
    s.unit,
    f.gaming_day,
    f.about AS bet,
    f.player,
    f.rule,
    f.code,
    f.kind,
    coalesce(t.currency, f.currency) AS currency,
    t.staked_minor,
    f.money_minor,
    f.events AS cites
FROM fct_finding AS f
INNER JOIN fct_session AS s ON s.subject = f.subject
LEFT JOIN fct_settlement AS t ON t.address = f.address AND t.stake = f.about
WHERE
    f.house = $house
    AND ($day IS NULL OR f.gaming_day = CAST($day AS DATE))
    AND regexp_full_match(f.code, '((ante|bonus|sum)_)?over_((box_)?max|limit)|above_maximum')
ORDER BY f.gaming_day, f.address, f.ordinal
