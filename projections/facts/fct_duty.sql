-- Who dealt and who supervised at a table, from when until when.
-- Grain: one stint of a person at a table. Units: times with offset; until_at NULL: as far as the record goes.
-- Readers: reports. A dealer's stint ends when he is relieved or another one is seated.
SELECT
    subject,
    role,
    person,
    cite,
    make_timestamptz(occurred_ms * 1000) AS from_at,
    make_timestamptz(until_ms * 1000) AS until_at
FROM (
    SELECT
        subject,
        CASE WHEN topic LIKE 'TB.Dealer%' THEN 'dealer' ELSE 'inspector' END AS role,
        data ->> '$.person' AS person,
        sequence || '@' || origin AS cite,
        topic IN ('TB.DealerSeated.v1', 'TB.InspectorSeated.v1') AS is_seated,
        occurred_ms,
        lead(occurred_ms) OVER (
            PARTITION BY
                subject,
                CASE WHEN topic LIKE 'TB.Dealer%' THEN '' ELSE data ->> '$.person' END
            ORDER BY occurred_ms, idx
        ) AS until_ms
    FROM standing
    WHERE
        topic IN ('TB.DealerSeated.v1', 'TB.DealerRelieved.v1', 'TB.InspectorSeated.v1', 'TB.InspectorRelieved.v1')
)
WHERE is_seated
