-- Rounds that wait for a person: the rules do not fix the money, give a right to void, or facts are missing.
-- Grain: one round. Units: minor units of currency.
-- Readers: managers.
SELECT
    r.address,
    r.house,
    r.game,
    r.gaming_day,
    r.opened_at,
    r.standing,
    r.settlement,
    r.currency,
    r.staked_minor,
    f.rules,
    f.codes
FROM fct_round AS r
LEFT JOIN (
    SELECT
        address,
        list_sort(list_distinct(list(rule))) AS rules,
        list_sort(list_distinct(list(code))) AS codes
    FROM fct_finding
    WHERE kind IN ('ruling_required', 'voidable', 'unverified')
    GROUP BY address
) AS f ON f.address = r.address
WHERE r.standing IN ('ruling_required', 'voidable', 'cannot_tell')
