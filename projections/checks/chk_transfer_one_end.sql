-- TB-09: transfers between two books of which one end only is on record, or whose ends differ.
-- Grain: one slip of a house. Units: minor units; must return no row.
-- Readers: night auditor. Both books (table, desk, another table) write the same slip and amount, each once.
SELECT
    'TB-09' AS rule,
    house,
    slip,
    count(*) AS ends,
    count(DISTINCT subject) AS books,
    min(amount_minor) AS least_minor,
    max(amount_minor) AS most_minor,
    list_sort(list_distinct(list(subject))) AS subjects,
    list_sort(list(cite)) AS cites
FROM fct_chip_move
WHERE slip <> ''
GROUP BY house, slip
HAVING count(*) <> 2 OR count(DISTINCT subject) <> 2 OR min(amount_minor) <> max(amount_minor)
