-- Stakes that were settled otherwise than due, by the dealer who sat at the table when the round began.
-- Grain: one dealer and currency. Units: minor units of currency; over: paid too much, under: too little.
-- Readers: managers, surveillance. Persons: person.
SELECT
    coalesce(d.person, 'nobody on record') AS dealer,
    r.currency,
    count(*) AS stakes,
    count(DISTINCT r.address) AS rounds,
    CAST(sum(greatest(-t.difference_minor, 0)) AS BIGINT) AS over_minor,
    CAST(sum(greatest(t.difference_minor, 0)) AS BIGINT) AS under_minor,
    list_sort(list_distinct(list(s.unit))) AS tables,
    list_sort(list_distinct(list(r.address))) AS addresses
FROM fct_settlement AS t
INNER JOIN fct_round AS r ON r.address = t.address
INNER JOIN fct_session AS s ON s.subject = r.subject
LEFT JOIN fct_duty AS d
    ON
        d.subject = r.subject AND d.role = 'dealer' AND d.from_at <= r.opened_at
        AND (d.until_at IS NULL OR r.opened_at < d.until_at)
WHERE
    r.house = $house
    AND ($day IS NULL OR r.gaming_day = CAST($day AS DATE))
    AND t.difference_minor <> 0
GROUP BY coalesce(d.person, 'nobody on record'), r.currency
ORDER BY stakes DESC, dealer, r.currency
