-- Spins with fewer turns than the rules ask for: ten laps of the ball, five turns of the magic wheel.
-- Grain: one round. Units: laps_tenths tenths of a turn, the last count on record; staked in minor units of currency.
-- Readers: compliance, surveillance.
SELECT
    r.address,
    s.unit,
    r.gaming_day,
    r.opened_at,
    f.rule,
    f.kind,
    r.standing,
    r.settlement,
    l.laps_tenths,
    r.currency,
    r.staked_minor,
    f.events AS cites
FROM fct_finding AS f
INNER JOIN fct_round AS r ON r.address = f.address
INNER JOIN fct_session AS s ON s.subject = r.subject
LEFT JOIN (
    SELECT
        subject,
        round,
        arg_max(TRY_CAST(coalesce(data ->> '$.laps_tenths', data ->> '$.turns_tenths') AS BIGINT), idx) AS laps_tenths
    FROM stg_record
    WHERE
        subject IN (SELECT subject FROM fct_finding WHERE code = 'short_spin')
        AND coalesce(data ->> '$.laps_tenths', data ->> '$.turns_tenths') IS NOT NULL
    GROUP BY subject, round
) AS l ON l.subject = r.subject AND l.round = r.round
WHERE
    r.house = $house
    AND ($day IS NULL OR r.gaming_day = CAST($day AS DATE))
    AND f.code = 'short_spin'
ORDER BY r.gaming_day, r.address
