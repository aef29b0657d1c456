-- TB-09: transfers between two books of which one end only is on record, or whose ends differ.
-- Grain: one slip of a house. Units: minor units; must return no row.
-- Readers: night auditor. Both books (table, desk, another table) write the same slip and amount, each once.
SELECT
    'TB-09' AS rule,
    house,
    slip,
    ends,
    books,
    least_minor,
    most_minor,
    subjects,
    cites
FROM fct_slip
WHERE NOT is_paired
