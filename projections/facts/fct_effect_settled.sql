-- Amounts of rulings that were dealt with: paid, received, retained or waived.
-- Grain: one settling of one player's amount. Units: amount_minor minor units, signed: what he was owed, or owed;
-- currency NULL: that of the ruling's tables.
-- Readers: managers; what is open then tells fct_ruling_amount.
SELECT
    idx,
    subject AS dispute_subject,
    unit AS dispute,
    sequence || '@' || origin AS cite,
    data ->> '$.ruling' AS ruling,
    data ->> '$.player' AS player,
    data ->> '$.how' AS how,
    data ->> '$.currency' AS currency,
    TRY_CAST(regexp_extract(data ->> '$.amount', '^-?[0-9]+$') AS BIGINT) AS amount_minor
FROM recorded
WHERE topic = 'DS.EffectSettled.v1' AND is_ours AND kind = 'dispute'
