"""The checks of rule book CS, CS-01 to CS-22 (caribbean-stud.md section 3).

What decides money is found once, in `payouts`; a check reports the marks of its rule, and the wrong settlements of the
stakes whose outcome its rule fixes.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from games.caribbean_stud.parameters import PARAMETERS, Constants
from games.caribbean_stud.payouts import analyse, analysis_of
from games.caribbean_stud.table import Session
from games.house_rules.edition import Edition
from games.house_rules.rulebook import Rule, RuleBook
from games.protocol import Round
from games.shared.bank.advisory import other_readings
from games.shared.comparison import mispaid, wrongly_settled
from games.shared.marks import noticed
from games.verdict import Finding, Line, Settlement

RULES = RuleBook("CS", PARAMETERS, Constants)

ABSENT = frozenset({"no_decision", "burn_missing", "no_cut", "cut_not_joined", "recut_ignored", "bet_too_small"})
"""Codes of what was not done: with a hole in the record nobody can say so."""

READINGS = {
    "cs.bet_multiple": "CS-08", "cs.fold.requires_continuation": "CS-09",
    "cs.bonus.pays_when_banker_stronger": "CS-15", "cs.bonus.stake_returned": "CS-15", "cs.bonus.on_exchange": "CS-06",
    "cs.ranking": "CS-14", "cs.exchange.exposed": "CS-07", "cs.inherit_general": "CS-20", "cs.settled": "CS-20",
    "cs.early_reveal": "CS-10", "cs.conduct.money": "CS-21", "cs.count.policy": "CS-20",
}  # fmt: skip
"""Readings of the source that move money, and the rule under which the default's money is told beside the house's.

Figures that the source leaves to the house (limits, boxes, cap, bonus table, seconds) are no other reading of it.
"""

PARAMETERS_OF: dict[str, tuple[str, ...]] = {
    "CS-01": ("cs.max_players", "cs.boxes_per_player", "cs.order"),
    "CS-02": ("cs.limits",),
    "CS-03": ("cs.bonus.table",),
    "CS-04": ("cs.order", "cs.deck.size"),
    "CS-05": ("cs.exchange.phase", "cs.amount_error"),
    "CS-06": ("cs.bonus.on_exchange",),
    "CS-07": ("cs.exchange.order_error", "cs.exchange.burn_hidden", "cs.exchange.exposed", "cs.order"),
    "CS-08": ("cs.bet_multiple", "cs.amount_error", "cs.no_decision", "cs.time.limit_s"),
    "CS-09": ("cs.fold.requires_continuation", "cs.bonus.on_fold"),
    "CS-10": ("cs.early_reveal", "cs.banker_exchange"),
    "CS-11": ("cs.nq.bet",),
    "CS-12": ("cs.bonus.pays_when_banker_stronger",),
    "CS-13": ("cs.max_payout", "cs.double"),
    "CS-14": ("cs.tie", "cs.ak_tiebreak", "cs.ranking", "cs.ace_for_six"),
    "CS-15": (
        "cs.bonus.table", "cs.bonus.pays_when_banker_stronger", "cs.bonus.stake_returned", "cs.bonus.on_win",
        "cs.bonus.on_tie",
    ),
    "CS-17": (),
    "CS-18": ("cs.inherit_general", "cs.cut.by", "cs.recut.until", "cs.recut.max", "cs.cutoff"),
    "CS-20": (
        "cs.inherit_general", "cs.cutoff", "cs.settled", "cs.late_count_error", "cs.count.policy", "cs.defective.money",
        "cs.void.refund_fees",
    ),
    "CS-21": ("cs.inherit_general", "cs.conduct.money"),
    "CS-22": ("cs.void.by_ruling",),
}  # fmt: skip
"""What each rule's check reads; a finding names them with their values."""


def as_the_rule_says(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """What the settlement noticed of a rule, and stakes settled otherwise than it fixes."""
    for found in noticed(analysis_of(round_).marks, rule):
        if round_.touched and found.code in ABSENT:
            yield replace(found, code=f"unverified:{found.code}", kind="unverified", money=0, remedy={})
        else:
            yield found
    yield from _wrongly_settled(round_, rule)


def _wrongly_settled(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    table = round_.session.round
    if table is None:
        return
    closed = table.closed.fact if table.closed is not None else None
    for wrong in wrongly_settled(round_, _exact, "CS-17", is_closed=closed is not None):
        if (wrong.rule or "CS-17") == rule.id:
            yield mispaid(round_, rule, wrong, via="CS-17", settles=table.settles, closed=closed)


def _exact(due: Line, _was: Line | None) -> tuple[str, str]:
    """The rule that fixes the stake's outcome."""
    return due.rule or "CS-17", "wrong_payout"


for _rule_id, _parameters in PARAMETERS_OF.items():
    RULES.check(_rule_id, parameters=_parameters)(as_the_rule_says)


def both_readings(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Where the house reads the source otherwise than the catalogue by default, both amounts (`advisory`)."""
    own = {name: where for name, where in READINGS.items() if where == rule.id}

    def due_by(edition: Edition) -> Settlement:
        return analyse(replace(round_.session, edition=edition)).settlement

    yield from noticed(other_readings(round_.edition, PARAMETERS, own, analysis_of(round_).settlement, due_by), rule)


for _rule_id in sorted(set(READINGS.values())):
    _read = tuple(name for name, rule in READINGS.items() if rule == _rule_id)
    RULES.check(_rule_id, parameters=_read)(both_readings)

RULES.cannot_be_broken("CS-16", "the order of the hands is a definition; who is paid against it breaks CS-11 to CS-15")
RULES.cannot_be_broken(
    "CS-22", "a right of management; a ruling that is not good in form has no effect, and its check says why"
)
RULES.cannot_be_broken("CS-19", "says until when the other rules count; nothing breaks it by itself")
