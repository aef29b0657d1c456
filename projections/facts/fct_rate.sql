-- Exchange rates as the house stored them: thousandths of the currency for one euro, from a gaming day on.
-- Grain: one rate stored. Units: thousandths; the last one stored for a day holds.
-- Readers: reports.
SELECT
    idx,
    house,
    data ->> '$.currency' AS currency,
    TRY_CAST(data ->> '$.day' AS DATE) AS first_day,
    TRY_CAST(regexp_extract(data ->> '$.thousandths', '^[0-9]+$') AS BIGINT) AS thousandths,
    account
FROM recorded
WHERE topic = 'HS.RateStored.v1' AND is_ours AND kind = 'house'
