-- Stakes that were settled otherwise than due, by the dealer who sat at the table when the round began.
-- Grain: one dealer and currency. Units: minor units of currency; over: paid too much, under: too little. What a ruling
-- of management makes due no dealer could pay: rounds ruled on are left out, and counted in ruled_rounds.
-- Readers: managers, surveillance. Persons: person.
WITH replaced AS (SELECT DISTINCT replaces AS ruling FROM fct_ruling WHERE replaces IS NOT NULL),

ruled AS (
    SELECT DISTINCT unnest(r.rounds) AS address
    FROM fct_ruling AS r
    WHERE r.remedy <> 'penalty' AND r.ruling NOT IN (SELECT p.ruling FROM replaced AS p)
),

looked_at AS (
    SELECT
        t.*,
        t.address IN (SELECT u.address FROM ruled AS u) AS is_ruled
    FROM fct_settlement AS t
)

SELECT
    coalesce(d.person, 'nobody on record') AS dealer,
    t.currency,
    count(*) FILTER (NOT t.is_ruled) AS stakes,
    count(DISTINCT r.address) FILTER (NOT t.is_ruled) AS rounds,
    count(DISTINCT r.address) FILTER (t.is_ruled) AS ruled_rounds,
    CAST(coalesce(sum(greatest(-t.difference_minor, 0)) FILTER (NOT t.is_ruled), 0) AS BIGINT) AS over_minor,
    CAST(coalesce(sum(greatest(t.difference_minor, 0)) FILTER (NOT t.is_ruled), 0) AS BIGINT) AS under_minor,
    list_sort(list_distinct(list(s.unit))) AS tables,
    list_sort(list_distinct(list(r.address))) AS addresses
FROM looked_at AS t
INNER JOIN fct_round AS r ON r.address = t.address
INNER JOIN fct_session AS s ON s.subject = r.subject
LEFT JOIN fct_duty AS d
    ON
        d.subject = r.subject AND d.role = 'dealer' AND d.from_at <= r.opened_at
        AND (d.until_at IS NULL OR r.opened_at < d.until_at)
WHERE
    r.house = $house
    AND ($day IS NULL OR r.gaming_day = CAST($day AS DATE))
    AND (t.difference_minor <> 0 OR t.is_ruled)
GROUP BY coalesce(d.person, 'nobody on record'), t.currency
ORDER BY stakes DESC, dealer, t.currency
