-- What the judge found, counted by rule.
-- Grain: one house, table, gaming day, rule, code and kind. Units: owed_minor minor units of currency, to players.
-- Readers: compliance, managers.
SELECT
    f.house,
    s.unit,
    f.gaming_day,
    f.game,
    f.rule,
    f.code,
    f.kind,
    f.currency,
    count(*) AS findings,
    count(DISTINCT f.address) AS rounds,
    CAST(sum(f.money_minor) AS BIGINT) AS owed_minor
FROM fct_finding AS f
INNER JOIN fct_session AS s ON s.subject = f.subject
GROUP BY ALL
