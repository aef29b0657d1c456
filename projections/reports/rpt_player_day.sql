-- A player's gaming day in a house: what he paid in, staked and won or lost, by what the rules say and on record.
-- Grain: one player, house, gaming day and currency. Units: minor units of currency; net positive: the player won.
-- Readers: compliance (identification thresholds), managers. Seats whose player no record names are left out.
WITH paid_in AS (
    SELECT
        house,
        player,
        gaming_day,
        currency,
        amount_minor AS tender_minor,
        0 AS net_minor,
        0 AS recorded_net_minor,
        0 AS difference_minor,
        0 AS staked_minor,
        NULL AS subject
    FROM fct_tender
),

settled AS (
    SELECT
        house,
        player,
        gaming_day,
        currency,
        0 AS tender_minor,
        net_minor,
        recorded_net_minor,
        difference_minor,
        staked_minor,
        subject
    FROM fct_settlement
    WHERE player <> '' AND player NOT LIKE 'seat/%'
)

SELECT
    house,
    player,
    gaming_day,
    currency,
    count(DISTINCT subject) AS sessions,
    CAST(sum(tender_minor) AS BIGINT) AS tender_minor,
    CAST(max(tender_minor) AS BIGINT) AS largest_tender_minor,
    CAST(sum(staked_minor) AS BIGINT) AS staked_minor,
    CAST(sum(net_minor) AS BIGINT) AS net_minor,
    CAST(sum(recorded_net_minor) AS BIGINT) AS recorded_net_minor,
    CAST(sum(difference_minor) AS BIGINT) AS difference_minor
FROM (SELECT * FROM paid_in UNION ALL SELECT * FROM settled)
GROUP BY ALL
