-- Stakes that do not lie in their table's currency, as the judge reads them: whatever moves for one is in its own.
-- Grain: one stake of a session. Units: currency is an ISO code.
-- Readers: facts/.
SELECT
    subject,
    stake,
    min(currency) AS currency
FROM judged_stake
WHERE currency IS NOT NULL
GROUP BY subject, stake
