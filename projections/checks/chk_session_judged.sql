-- Sessions in which something is played and that could not be judged.
-- Grain: one session. Units: none; must return no row.
-- Readers: night auditor, compliance.
SELECT
    subject,
    gaming_day,
    game,
    rule_book,
    problem
FROM fct_session
WHERE problem IS NOT NULL AND kind IN ('table', 'import')
