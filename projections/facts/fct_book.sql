-- The money side of each session of a table or a cash desk: counted, recorded, and what should lie there by the record.
-- Grain: one session of a table or desk. Units: _minor minor units of currency; NULL where nobody counted.
-- Readers: reports. expected_minor: opening and all chips that came into the float, less all that left it.
-- closing: the closer, or a recount after it; of a session without a closer its cut at the gaming day's end, and then
-- everything is told up to there.
-- fill, credit: chips from and to other books; game_win: what settlements moved to float and rake box less what they
-- moved out; other: what moved to or from them for no such cause; win = closing + credits + drop + rake box - opening
-- - fills, so that win - game_win = (drop - tender) + (closing - expected) + (rake box - rake) + other.
-- bets: stakes made, staked: all of them less what was taken up again; of the whole session.
-- foreign_chips: of stakes in another currency than the table's, how many and how much, and what they moved to the float
-- less what they moved out; that is in no other figure, and no count tells it.
-- Colour chips lie in the float, and leave it, at the value that they were issued at; where more or less was given or
-- paid for them than that, the rest is other.
-- before_: the last count of the same book's session before.
WITH said AS (
    SELECT
        subject,
        topic,
        (occurred_ms, idx) AS told_at,
        sequence || '@' || origin AS cite,
        data ->> '$.kind' AS kind,
        data ->> '$.box' AS box,
        TRY_CAST(regexp_extract(data ->> '$.amount', '^[0-9]+$') AS BIGINT) AS amount_minor
    FROM standing
    WHERE
        topic IN (
            'TB.InventoryCounted.v1', 'TB.DropBoxMounted.v1', 'TB.DropBoxCounted.v1', 'TB.RakeBoxCounted.v1'
        )
),

cut AS (
    SELECT
        subject,
        max(told_at) FILTER (kind = 'cut') AS until
    FROM said
    GROUP BY subject
    HAVING count_if(kind = 'closer') = 0 AND count_if(kind = 'cut') > 0
),

colours AS (
    SELECT
        subject,
        (occurred_ms, idx) AS told_at,
        sequence || '@' || origin AS cite,
        topic = 'TB.ColourChipsIssued.v1' AS is_issue,
        coalesce(data ->> '$.tender' = 'cash', FALSE) AS is_cash,
        TRY_CAST(
            TRY_CAST(regexp_extract(data ->> '$.unit_value', '^[0-9]+$') AS HUGEINT)
            * TRY_CAST(regexp_extract(data ->> '$.count', '^[0-9]+$') AS HUGEINT) AS BIGINT
        ) AS value_minor,
        TRY_CAST(
            regexp_extract(coalesce(data ->> '$.tender_in', data ->> '$.value_chips_out'), '^[0-9]+$') AS BIGINT
        ) AS against_minor
    FROM standing
    WHERE
        (topic = 'TB.ColourChipsIssued.v1' AND coalesce(data ->> '$.table', unit) = unit)
        OR (topic = 'TB.ColourChipsRedeemed.v1' AND (data ->> '$.at_desk') IS DISTINCT FROM 'true')
),

moved AS (
    SELECT
        subject,
        (occurred_ms, idx) AS told_at,
        sequence || '@' || origin AS cite,
        w.currency,
        CASE
            WHEN from_place = to_place THEN 0
            WHEN to_place = 'float' THEN amount_minor
            WHEN from_place = 'float' THEN -amount_minor
            ELSE 0
        END AS float_minor,
        CASE
            WHEN from_place = to_place THEN 0
            WHEN to_place = 'rake' THEN amount_minor
            WHEN from_place = 'rake' THEN -amount_minor
            ELSE 0
        END AS rake_minor,
        CASE
            WHEN cause <> 'stake' THEN NULL
            WHEN from_place LIKE 'box/%' OR from_place = 'pot' THEN -amount_minor
            ELSE amount_minor
        END AS staked_minor,
        CASE
            WHEN NOT (from_place IN ('float', 'rake') OR to_place IN ('float', 'rake')) THEN 'layout'
            WHEN from_place LIKE 'desk/%' OR to_place LIKE 'desk/%' OR cause IN ('fill', 'credit') THEN 'book'
            WHEN topic = 'TB.BuyIn.v1' THEN 'buy_in'
            WHEN cause IN ('win', 'take', 'return', 'rake', 'ruling', 'correction', 'award') THEN 'game'
            ELSE 'other'
        END AS way
    FROM @moves(standing)
    LEFT JOIN foreign_stake AS w USING (subject, stake)
    WHERE kind IN ('table', 'desk')
    UNION ALL
    SELECT
        subject,
        told_at,
        cite,
        NULL AS currency,
        -coalesce(against_minor, value_minor) AS float_minor,
        0 AS rake_minor,
        NULL AS staked_minor,
        'buy_in' AS way
    FROM colours
    WHERE is_cash
    UNION ALL
    SELECT
        subject,
        told_at,
        cite,
        NULL AS currency,
        CASE WHEN is_issue THEN against_minor - value_minor ELSE value_minor - against_minor END AS float_minor,
        0 AS rake_minor,
        NULL AS staked_minor,
        'other' AS way
    FROM colours
    WHERE against_minor <> value_minor
),

told AS (
    SELECT
        m.*,
        c.until IS NULL OR m.told_at <= c.until AS is_told
    FROM moved AS m
    LEFT JOIN cut AS c ON c.subject = m.subject
),

chips AS (
    SELECT
        subject,
        CAST(count_if(staked_minor > 0) AS BIGINT) AS bets,
        CAST(sum(staked_minor) AS BIGINT) AS staked_minor,
        CAST(sum(float_minor) FILTER (is_told) AS BIGINT) AS float_minor,
        CAST(sum(rake_minor) FILTER (is_told) AS BIGINT) AS rake_minor,
        CAST(sum(float_minor) FILTER (is_told AND way = 'book' AND float_minor > 0) AS BIGINT) AS fill_minor,
        CAST(sum(greatest(-float_minor, 0) - rake_minor) FILTER (is_told AND way = 'book') AS BIGINT) AS credit_minor,
        CAST(sum(float_minor + rake_minor) FILTER (is_told AND way = 'game') AS BIGINT) AS game_win_minor,
        CAST(sum(float_minor + rake_minor) FILTER (is_told AND way = 'other') AS BIGINT) AS other_minor,
        list_sort(list(cite) FILTER (is_told AND way = 'other')) AS other_cites
    FROM told
    WHERE currency IS NULL
    GROUP BY subject
),

foreign_moved AS (
    SELECT
        subject,
        currency,
        CAST(count_if(staked_minor > 0) AS BIGINT) AS bets,
        CAST(coalesce(sum(staked_minor), 0) AS BIGINT) AS staked_minor,
        CAST(coalesce(sum(float_minor) FILTER (is_told), 0) AS BIGINT) AS float_minor,
        coalesce(list_sort(list(cite) FILTER (is_told AND way <> 'layout')), []) AS cites
    FROM told
    WHERE currency IS NOT NULL
    GROUP BY subject, currency
),

abroad AS (
    SELECT
        subject,
        list(
            {
                'currency': currency,
                'bets': bets,
                'staked_minor': staked_minor,
                'float_minor': float_minor,
                'cites': cites
            }
            ORDER BY currency
        ) AS foreign_chips
    FROM foreign_moved
    GROUP BY subject
),

tender AS (
    SELECT
        subject,
        CAST(sum(amount_minor) AS BIGINT) AS tender_minor
    FROM (
        SELECT
            subject,
            (occurred_ms, idx) AS told_at,
            TRY_CAST(regexp_extract(data ->> '$.amount', '^[0-9]+$') AS BIGINT) AS amount_minor
        FROM standing
        WHERE topic = 'TB.BuyIn.v1'
        UNION ALL
        SELECT
            subject,
            told_at,
            coalesce(against_minor, value_minor) AS amount_minor
        FROM colours
        WHERE is_cash
    )
    LEFT JOIN cut USING (subject)
    WHERE until IS NULL OR told_at <= until
    GROUP BY subject
),

counted AS (
    SELECT
        subject,
        arg_min(amount_minor, told_at) FILTER (kind = 'opener') AS opening_minor,
        arg_min(cite, told_at) FILTER (kind = 'opener') AS opening_cite,
        CASE
            WHEN count_if(kind = 'closer') > 0
                THEN arg_max(amount_minor, told_at) FILTER (kind IN ('closer', 'recount'))
            ELSE arg_max(amount_minor, told_at) FILTER (kind = 'cut')
        END AS closing_minor,
        CASE
            WHEN count_if(kind = 'closer') > 0 THEN arg_max(cite, told_at) FILTER (kind IN ('closer', 'recount'))
            ELSE arg_max(cite, told_at) FILTER (kind = 'cut')
        END AS closing_cite,
        CAST(sum(CASE WHEN topic = 'TB.DropBoxCounted.v1' THEN amount_minor END) AS BIGINT) AS drop_minor,
        list_sort(list(cite) FILTER (topic = 'TB.DropBoxCounted.v1')) AS drop_cites,
        list_sort(list(DISTINCT box) FILTER (topic = 'TB.DropBoxMounted.v1')) AS mounted,
        list_sort(list(DISTINCT box) FILTER (topic = 'TB.DropBoxCounted.v1')) AS opened,
        CAST(sum(CASE WHEN topic = 'TB.RakeBoxCounted.v1' THEN amount_minor END) AS BIGINT) AS rake_box_minor,
        list_sort(list(cite) FILTER (topic = 'TB.RakeBoxCounted.v1')) AS rake_cites
    FROM said
    GROUP BY subject
),

book AS (
    SELECT
        j.subject,
        s.kind,
        j.judged_house AS house,
        s.unit,
        j.game,
        j.currency,
        j.gaming_day,
        j.opened_ms,
        make_timestamptz(j.opened_ms * 1000) AS opened_at,
        make_timestamptz(j.closed_ms * 1000) AS closed_at,
        c.opening_minor,
        c.opening_cite,
        c.closing_minor,
        c.closing_cite,
        coalesce(t.tender_minor, 0) AS tender_minor,
        list_filter(
            coalesce(c.mounted, []), lambda box : NOT list_contains(coalesce(c.opened, []), box)
        ) AS uncounted_boxes,
        coalesce(c.drop_minor, CASE WHEN c.mounted IS NULL AND t.subject IS NULL THEN 0 END) AS drop_minor,
        coalesce(c.drop_cites, []) AS drop_cites,
        coalesce(m.rake_minor, 0) AS rake_minor,
        coalesce(c.rake_box_minor, CASE WHEN coalesce(m.rake_minor, 0) = 0 THEN 0 END) AS rake_box_minor,
        coalesce(c.rake_cites, []) AS rake_cites,
        coalesce(m.bets, 0) AS bets,
        coalesce(m.staked_minor, 0) AS staked_minor,
        coalesce(m.fill_minor, 0) AS fill_minor,
        coalesce(m.credit_minor, 0) AS credit_minor,
        coalesce(m.game_win_minor, 0) AS game_win_minor,
        coalesce(m.other_minor, 0) AS other_minor,
        coalesce(m.other_cites, []) AS other_cites,
        c.opening_minor + coalesce(m.float_minor, 0) AS expected_minor,
        coalesce(a.foreign_chips, []) AS foreign_chips
    FROM judged_session AS j
    INNER JOIN (SELECT DISTINCT subject, kind, unit FROM stream) AS s ON s.subject = j.subject
    LEFT JOIN counted AS c ON c.subject = j.subject
    LEFT JOIN chips AS m ON m.subject = j.subject
    LEFT JOIN tender AS t ON t.subject = j.subject
    LEFT JOIN abroad AS a ON a.subject = j.subject
    WHERE s.kind IN ('table', 'desk')
)

SELECT
    *,
    CASE
        WHEN len(uncounted_boxes) = 0
            THEN closing_minor + credit_minor + drop_minor + rake_box_minor - opening_minor - fill_minor
    END AS win_minor,
    lag(closing_minor) OVER earlier AS before_minor,
    lag(closing_cite) OVER earlier AS before_cite,
    lag(subject) OVER earlier AS before_subject
FROM book
WINDOW earlier AS (PARTITION BY kind, house, unit, currency ORDER BY opened_ms, subject)
