-- What the night auditor must look at, each with the records that it rests on.
-- Grain: one exception of a house and gaming day. Units: minor units of currency; difference = found - expected.
-- Readers: `recoup night`. id: the first ten digits of SHA-256 over kind, subject, what it is about and its records, so
-- that it stays the same however often the night is computed. subjects: the session of each of cites. about: a slip, a
-- drop box, a round, a ruling, the session before, or the currency of chips that the float should not hold. called_off:
-- the table gave bets back or dealt anew on a ground that the rules do not give. standing: of a round; text: its rules,
-- and what the finding says. unit of a slip with two amounts: who wrote the smaller (found), who the larger (expected).
WITH book AS MATERIALIZED (
    SELECT * FROM fct_book
),

ruled AS MATERIALIZED (
    SELECT * FROM fct_ruling
),

in_force AS (
    SELECT * FROM ruled
    WHERE ruling NOT IN (SELECT replaces FROM ruled WHERE replaces IS NOT NULL)
),

covered AS (
    SELECT DISTINCT unnest(rounds) AS address
    FROM in_force
    WHERE remedy IN ('correct', 'valid', 'void', 'refund', 'return', 'forfeit')
),

open_ruling AS (
    SELECT
        ruling,
        min(subject) AS subject,
        list_sort(list(cite)) AS cites
    FROM in_force
    WHERE ruling IN (SELECT ruling FROM fct_ruling_amount WHERE open_minor <> 0)
    GROUP BY ruling
),

rule_finding AS (
    SELECT
        subject,
        rule,
        min(text) AS text,
        list_sort(list_distinct(flatten(list(events)))) AS cites
    FROM fct_finding
    WHERE rule IN ('TB-01', 'TB-02', 'TB-03', 'TB-04', 'TB-05', 'TB-06', 'TB-07', 'TB-10', 'TB-11', 'TB-13')
    GROUP BY subject, rule
),

round_finding AS (
    SELECT
        address,
        list_sort(list_distinct(list(rule))) AS rules,
        arg_min(text, ordinal) FILTER (kind IN ('ruling_required', 'voidable', 'void', 'misdeal')) AS told,
        bool_or(code LIKE '%\_unfounded' ESCAPE '\') AS is_unfounded,
        list_sort(list_distinct(flatten(list(events)))) AS cites
    FROM fct_finding
    WHERE address IS NOT NULL AND kind NOT IN ('breach', 'penalty', 'advisory')
    GROUP BY address
),

open_day AS (
    SELECT DISTINCT house, gaming_day FROM book
    WHERE kind = 'table'
),

found AS (
    SELECT
        subject,
        CASE kind WHEN 'table' THEN 'float' ELSE kind END AS kind,
        NULL AS about,
        expected_minor,
        closing_minor AS found_minor,
        [opening_cite, closing_cite] AS cites,
        CAST(NULL AS VARCHAR) AS text,
        CAST(NULL AS VARCHAR) AS standing
    FROM book
    WHERE kind IN ('table', 'desk') AND closing_minor <> expected_minor
    UNION ALL
    SELECT
        subject,
        'drop' AS kind,
        NULL AS about,
        tender_minor AS expected_minor,
        drop_minor AS found_minor,
        drop_cites AS cites,
        NULL AS text,
        NULL AS standing
    FROM book
    WHERE kind = 'table' AND len(uncounted_boxes) = 0 AND drop_minor <> tender_minor
    UNION ALL
    SELECT
        subject,
        'rake' AS kind,
        NULL AS about,
        rake_minor AS expected_minor,
        rake_box_minor AS found_minor,
        rake_cites AS cites,
        NULL AS text,
        NULL AS standing
    FROM book
    WHERE rake_box_minor <> rake_minor
    UNION ALL
    SELECT
        subject,
        'opener' AS kind,
        before_subject AS about,
        before_minor AS expected_minor,
        opening_minor AS found_minor,
        [before_cite, opening_cite] AS cites,
        NULL AS text,
        NULL AS standing
    FROM book
    WHERE opening_minor <> before_minor
    UNION ALL
    SELECT
        subject,
        'other' AS kind,
        NULL AS about,
        0 AS expected_minor,
        other_minor AS found_minor,
        other_cites AS cites,
        NULL AS text,
        NULL AS standing
    FROM book
    WHERE kind = 'table' AND other_minor <> 0
    UNION ALL
    SELECT
        subject,
        'not_counted' AS kind,
        unnest(
            list_filter(
                list_concat(
                    [
                        CASE WHEN opening_minor IS NULL THEN 'opener' END,
                        CASE WHEN closing_minor IS NULL AND closed_at IS NOT NULL THEN 'closer' END,
                        CASE WHEN drop_minor IS NULL AND len(uncounted_boxes) = 0 THEN 'drop box' END,
                        CASE WHEN rake_box_minor IS NULL THEN 'rake box' END
                    ],
                    list_transform(uncounted_boxes, lambda box : 'drop box ' || box)
                ),
                lambda what : what IS NOT NULL
            )
        ) AS about,
        NULL AS expected_minor,
        NULL AS found_minor,
        [] AS cites,
        NULL AS text,
        NULL AS standing
    FROM book
    UNION ALL
    SELECT
        subject,
        'not_closed' AS kind,
        NULL AS about,
        NULL AS expected_minor,
        NULL AS found_minor,
        [] AS cites,
        NULL AS text,
        NULL AS standing
    FROM book
    WHERE closed_at IS NULL AND (kind = 'table' OR closing_minor IS NULL)
    UNION ALL
    SELECT
        subject,
        'not_judged' AS kind,
        NULL AS about,
        NULL AS expected_minor,
        NULL AS found_minor,
        [] AS cites,
        problem AS text,
        NULL AS standing
    FROM fct_session
    WHERE kind = 'table' AND problem IS NOT NULL
    UNION ALL
    SELECT
        subject,
        rule AS kind,
        NULL AS about,
        NULL AS expected_minor,
        NULL AS found_minor,
        cites,
        text,
        NULL AS standing
    FROM rule_finding
    UNION ALL
    SELECT
        r.subject,
        CASE
            WHEN coalesce(f.is_unfounded, false) THEN 'called_off'
            WHEN r.settlement = 'differs' THEN 'paid_otherwise'
            WHEN r.standing IN ('voidable', 'ruling_required', 'cannot_tell') THEN 'undecided'
            ELSE 'not_settled'
        END AS kind,
        r.address AS about,
        NULL AS expected_minor,
        NULL AS found_minor,
        coalesce(f.cites, []) AS cites,
        concat_ws(': ', array_to_string(f.rules, ', '), nullif(f.told, '')) AS text,
        r.standing
    FROM fct_round AS r
    LEFT JOIN round_finding AS f ON f.address = r.address
    WHERE
        r.address NOT IN (SELECT address FROM covered WHERE address IS NOT NULL)
        AND (
            r.settlement = 'differs'
            OR r.standing IN ('voidable', 'ruling_required', 'cannot_tell')
            OR (r.settlement = 'not_recorded' AND r.staked_minor > 0)
        )
    UNION ALL
    SELECT
        subject,
        'ruling_open' AS kind,
        ruling AS about,
        NULL AS expected_minor,
        NULL AS found_minor,
        cites,
        NULL AS text,
        NULL AS standing
    FROM open_ruling
),

told AS (
    SELECT
        b.house,
        s.gaming_day,
        s.unit,
        s.currency,
        f.*,
        CAST(NULL AS VARCHAR[]) AS end_subjects
    FROM found AS f
    INNER JOIN fct_session AS s ON s.subject = f.subject
    INNER JOIN (SELECT subject, house FROM book) AS b ON b.subject = f.subject
    UNION ALL
    SELECT
        house,
        gaming_day,
        CASE
            WHEN ends = 2 AND books = 2 THEN least_unit || ', ' || most_unit
            ELSE array_to_string(units, ', ')
        END AS unit,
        currency,
        subjects[1] AS subject,
        'slip' AS kind,
        slip AS about,
        CASE WHEN ends = 2 THEN most_minor END AS expected_minor,
        CASE WHEN ends = 2 THEN least_minor END AS found_minor,
        cites,
        CASE
            WHEN ends = 1 THEN 'one end only'
            WHEN ends > 2 THEN 'more than two ends'
            WHEN books < 2 THEN 'both ends in one book'
            ELSE 'the two ends differ'
        END AS text,
        NULL AS standing,
        end_subjects
    FROM fct_slip
    WHERE NOT is_paired
    UNION ALL
    SELECT
        house,
        gaming_day,
        unit,
        f.currency,
        subject,
        'foreign' AS kind,
        f.currency AS about,
        0 AS expected_minor,
        f.float_minor AS found_minor,
        f.cites,
        NULL AS text,
        NULL AS standing,
        NULL AS end_subjects
    FROM (SELECT house, gaming_day, unit, subject, unnest(foreign_chips) AS f FROM book)
    WHERE f.float_minor <> 0
    UNION ALL
    SELECT
        t.house,
        t.gaming_day + 1 AS gaming_day,
        t.unit,
        t.currency,
        t.subject,
        'no_session' AS kind,
        NULL AS about,
        NULL AS expected_minor,
        NULL AS found_minor,
        [] AS cites,
        NULL AS text,
        NULL AS standing,
        NULL AS end_subjects
    FROM book AS t
    INNER JOIN open_day AS d ON d.house = t.house AND d.gaming_day = t.gaming_day + 1
    WHERE
        t.kind = 'table'
        AND NOT EXISTS (
            SELECT 1 FROM book AS n
            WHERE n.kind = 'table' AND n.house = t.house AND n.unit = t.unit AND n.gaming_day = t.gaming_day + 1
        )
    QUALIFY row_number() OVER (PARTITION BY t.house, t.unit, t.gaming_day ORDER BY t.opened_ms DESC) = 1
)

SELECT
    substr(sha256(concat_ws(chr(10), kind, subject, about, array_to_string(cites, ' '))), 1, 10) AS id,
    house,
    gaming_day,
    kind,
    unit,
    currency,
    subject,
    about,
    CAST(expected_minor AS BIGINT) AS expected_minor,
    CAST(found_minor AS BIGINT) AS found_minor,
    CAST(found_minor - expected_minor AS BIGINT) AS difference_minor,
    CAST(cites AS VARCHAR[]) AS cites,
    CASE
        WHEN kind = 'opener' THEN [about, subject]
        ELSE coalesce(end_subjects, list_transform(cites, lambda cite : subject))
    END AS subjects,
    standing,
    text
FROM told
