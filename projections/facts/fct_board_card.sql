-- Common cards of poker hands as they stand, each with its board and street.
-- Grain: one card laid on a board. Units: board counts from 1 (a hand run more than once has several), n the cards of
-- its record. Readers of a hand see what was taken back again, too; is_rabbit: turned up after the hand, to see.
-- Readers: reports.
SELECT
    c.idx,
    c.n,
    c.subject || '#' || c.round AS address,
    c.subject,
    c.round,
    c.sequence || '@' || c.origin AS cite,
    coalesce(TRY_CAST(c.data ->> '$.board' AS INTEGER), 1) AS board,
    coalesce(c.place, c.data ->> '$.street') AS street,
    coalesce(c.data ->> '$.rabbit' = 'true', false) AS is_rabbit,
    c.card
FROM @cards(standing) AS c
WHERE
    c.topic = 'PK.BoardDealt.v1'
    OR (c.topic = 'PK.CardDealt.v1' AND c.place IN ('flop', 'turn', 'river'))
