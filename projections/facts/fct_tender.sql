-- Cash and vouchers that players gave at a table, for value chips or colour chips.
-- Grain: one payment. Units: amount_minor minor units of currency.
-- Readers: reports. What goes into the drop box; value chips given for colour chips are no tender.
SELECT
    f.idx,
    f.subject || '#' || f.round AS address,
    f.subject,
    f.round,
    f.sequence || '@' || f.origin AS cite,
    CASE WHEN s.is_time_known IS DISTINCT FROM false THEN make_timestamptz(f.occurred_ms * 1000) END AS occurred_at,
    s.gaming_day,
    s.currency,
    coalesce(s.judged_house, f.house) AS house,
    f.unit,
    f.data ->> '$.player' AS player,
    CASE
        WHEN f.topic = 'TB.BuyIn.v1' THEN coalesce(f.data ->> '$.tender', 'cash')
        ELSE f.data ->> '$.tender'
    END AS tender,
    TRY_CAST(
        regexp_extract(
            CASE WHEN f.topic = 'TB.BuyIn.v1' THEN f.data ->> '$.amount' ELSE f.data ->> '$.tender_in' END,
            '^[0-9]+$'
        ) AS BIGINT
    ) AS amount_minor
FROM standing AS f
LEFT JOIN judged_session AS s ON s.subject = f.subject
WHERE
    f.topic = 'TB.BuyIn.v1'
    OR (f.topic = 'TB.ColourChipsIssued.v1' AND f.data ->> '$.tender' = 'cash')
