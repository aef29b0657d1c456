-- Settlements that do not add up: stakes not taken, returned or held in full; pots that pay other than they hold.
-- Grain: one round, side (due, pots) and currency. Units: minor units; must return no row.
-- Readers: night auditor. What was really moved is held together by chk_chips_conserved, over whole sessions: a stake
-- may be left lying from one round to the next.
SELECT
    address,
    'due' AS side,
    count(*) AS stakes,
    CAST(sum(staked_minor) AS BIGINT) AS staked_minor,
    CAST(sum(taken_minor + returned_minor + held_minor) AS BIGINT) AS settled_minor
FROM fct_settlement
WHERE staked_minor <> taken_minor + returned_minor + held_minor
GROUP BY address, currency
UNION ALL
SELECT
    address,
    'pots' AS side,
    pots AS stakes,
    taken_minor AS staked_minor,
    paid_minor + rake_minor AS settled_minor
FROM fct_round
WHERE pots > 0 AND taken_minor <> paid_minor + rake_minor
