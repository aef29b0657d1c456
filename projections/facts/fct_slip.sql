-- Transfers between two books, by their slips: which ends are on record, and whether they say the same.
-- Grain: one slip of a house. Units: _minor minor units of currency.
-- Readers: reports, checks. Both books (table, desk, another table) write the same slip and amount, each once.
-- end_subjects: the book of each of cites. least_unit, most_unit: who wrote the smallest and the largest amount;
-- of equal ones by name, so that a rebuild says the same.
WITH slipped AS (SELECT * FROM standing WHERE contains(data, '"slip":"'))

SELECT
    coalesce(s.judged_house, m.house) AS house,
    m.slip,
    min(s.gaming_day) AS gaming_day,
    min(s.currency) AS currency,
    count(*) AS ends,
    count(DISTINCT m.subject) AS books,
    min(m.amount_minor) AS least_minor,
    max(m.amount_minor) AS most_minor,
    list_sort(list_distinct(list(m.subject))) AS subjects,
    list_sort(list_distinct(list(m.unit))) AS units,
    arg_min(m.unit, (m.amount_minor, m.unit)) FILTER (m.amount_minor IS NOT NULL) AS least_unit,
    arg_max(m.unit, (m.amount_minor, m.unit)) FILTER (m.amount_minor IS NOT NULL) AS most_unit,
    list_sort(list(m.sequence || '@' || m.origin)) AS cites,
    list(m.subject ORDER BY m.sequence || '@' || m.origin) AS end_subjects,
    count(*) = 2 AND count(DISTINCT m.subject) = 2 AND min(m.amount_minor) = max(m.amount_minor) AS is_paired
FROM @moves(slipped) AS m
LEFT JOIN judged_session AS s ON s.subject = m.subject
WHERE m.slip <> ''
GROUP BY ALL
