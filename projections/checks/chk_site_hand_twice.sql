-- TB-14: a site's hand id used by several imported hands with different text.
-- Grain: one id of a site. Units: hands counts different texts; must return no row.
-- Readers: compliance. An import is named by its own text, so this confuses nothing; the site's numbering does.
SELECT
    'TB-14' AS rule,
    site,
    site_hand,
    count(DISTINCT sha256) AS hands,
    list_sort(list_distinct(list(subject))) AS subjects
FROM stg_imported_hand
WHERE site_hand IS NOT NULL
GROUP BY site, site_hand
HAVING count(DISTINCT sha256) > 1
