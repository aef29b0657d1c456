-- Findings of the judge: which rule, in which round, resting on which events.
-- Grain: one finding. Units: money_minor minor units of currency, positive: owed to player, negative: owed by him.
-- Readers: reports. round NULL: it concerns the session or lies between rounds. TB-09 and TB-14 are chk_ views.
SELECT
    f.subject || '#' || f.round AS address,
    f.subject,
    f.round,
    f.ordinal,
    s.judged_house AS house,
    s.game,
    s.gaming_day,
    coalesce(f.remedy ->> '$.currency', s.currency) AS currency,
    f.rule,
    f.via,
    f.code,
    f.kind,
    f.scope,
    f.about,
    f.player,
    f.money AS money_minor,
    f.remedy,
    f.events,
    f.basis,
    f.parameters,
    f.text,
    s.edition
FROM judged_finding AS f
INNER JOIN judged_session AS s ON s.subject = f.subject
