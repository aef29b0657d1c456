-- Imported hands as their readers wrote them down: where they come from and which hand of the site they are.
-- Grain: one opening record of an import. Units: sha256 of the hand's own text.
-- Readers: checks.
SELECT
    idx,
    subject,
    origin,
    make_timestamptz(recorded_us) AS recorded_at,
    data ->> '$.game' AS game,
    data ->> '$.format' AS format,
    data ->> '$.site' AS site,
    data ->> '$.site_hand' AS site_hand,
    data ->> '$.sha256' AS sha256
FROM recorded
WHERE topic = 'IM.HandImported.v1' AND kind = 'import'
