-- Who sat with whom: pairs of players with stakes in the same rounds, and how each of them fared there.
-- Grain: one pair of players. Units: minor units of currency, by what is due; net positive: that player won.
-- Readers: surveillance (collusion). Persons: collusion.
-- Parameter $player: ; one of the two, anybody if empty
-- Parameter $rounds: 3; at least so many rounds together
WITH part AS (
    SELECT
        address,
        player,
        currency,
        CAST(sum(net_minor) AS BIGINT) AS net_minor
    FROM fct_settlement
    WHERE
        house = $house
        AND ($day IS NULL OR gaming_day = CAST($day AS DATE))
        AND player <> ''
        AND player NOT LIKE 'seat/%'
    GROUP BY address, player, currency
)

SELECT
    a.player,
    b.player AS other,
    a.currency,
    count(*) AS rounds,
    CAST(sum(a.net_minor) AS BIGINT) AS net_minor,
    CAST(sum(b.net_minor) AS BIGINT) AS other_net_minor,
    list_sort(list(DISTINCT split_part(a.address, '#', 1))) AS subjects,
    min(a.address) AS address
FROM part AS a
INNER JOIN part AS b ON b.address = a.address AND b.player > a.player AND b.currency = a.currency
WHERE $player = '' OR a.player = $player OR b.player = $player
GROUP BY a.player, b.player, a.currency
HAVING count(*) >= CAST($rounds AS BIGINT)
ORDER BY rounds DESC, a.player, other, a.currency
