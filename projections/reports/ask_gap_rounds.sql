-- Rounds touched by a hole in the record: records missing, in conflict or unread (TB-01, TB-02, TB-03).
-- Grain: one round. Units: minor units of currency.
-- Readers: compliance, night auditor.
SELECT
    r.address,
    s.unit,
    r.gaming_day,
    r.opened_at,
    list_sort(list_distinct(list(f.rule))) AS rules,
    r.standing,
    r.settlement,
    r.currency,
    r.staked_minor,
    list_sort(list_distinct(list(f.about))) AS missing,
    list_sort(list_distinct(flatten(list(f.events)))) AS cites
FROM fct_round AS r
INNER JOIN fct_session AS s ON s.subject = r.subject
LEFT JOIN fct_finding AS f ON f.address = r.address AND f.rule IN ('TB-01', 'TB-02', 'TB-03')
WHERE
    r.house = $house
    AND ($day IS NULL OR r.gaming_day = CAST($day AS DATE))
    AND r.is_touched
GROUP BY ALL
ORDER BY r.gaming_day, r.address
