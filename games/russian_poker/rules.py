"""The checks of rule book RP, RP-01 to RP-46 (russian-poker.md section 3).

What decides money is found once, in `payouts`; such a check reports the marks of its rule. The others look at one
record (`on=`), or at what a whole round says of the rounds before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from events.schema.common import DeckOpened, SeatTaken
from events.schema.fact import Fact
from games.house_rules.edition import Edition
from games.house_rules.rulebook import Rule, RuleBook
from games.protocol import Round
from games.russian_poker.parameters import PARAMETERS
from games.russian_poker.pay_table import Constants
from games.russian_poker.payouts import Analysis, analyse, analysis_of
from games.russian_poker.state import idle_after
from games.russian_poker.table import Coup, Session
from games.shared import comparison
from games.shared.bank.advisory import other_readings
from games.shared.bank.table import Stake
from games.shared.comparison import Wrong
from games.shared.marks import Mark
from games.verdict import Finding, Line, Settlement

RULES = RuleBook("RP", PARAMETERS, Constants)
ABSENCE = frozenset({
    "shuffle_incomplete", "cut_missing", "not_loaded", "no_decision", "bet_missing", "fee_too_small", "wrong_count",
    "sixth_card_count", "exchange_count", "not_replaced", "bet_too_small", "rex_too_small", "replacement_unpaid",
    "replacement_not_asked", "ante_under_min",
})  # fmt: skip
"""Findings on what is not on record: in a round with a hole nothing can be said of it."""


def noticed(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """What the settlement noticed of this rule; of what is absent nothing is proved where the record has a hole."""
    for mark in analysis_of(round_).marks:
        if mark.rule != rule.id:
            continue
        if round_.touched and mark.code in ABSENCE:
            yield rule.unverified(mark.code, mark.scope, subject=mark.subject, player=mark.player, facts=mark.facts)
            continue
        yield _finding(rule, mark)


def _finding(rule: Rule, mark: Mark) -> Finding:
    return rule.finding(
        mark.code, mark.kind, mark.scope, subject=mark.subject, player=mark.player, money=mark.money,
        remedy=mark.remedy, facts=mark.facts, basis=mark.basis, text=mark.text,
    )  # fmt: skip


# Table, seats, deck ---------------------------------------------------------------------------------------------------


@RULES.check("RP-02", on=(SeatTaken,))
def seats_are_for_players(_before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Somebody who does not play has no seat."""
    event = fact.event
    assert isinstance(event, SeatTaken)
    if not event.is_player:
        yield rule.finding(
            "seat_not_player", "breach", "player", subject=f"seat/{event.seat}", player=event.person, facts=(fact,)
        )


@RULES.check("RP-02", parameters=("rp.seats.idle_rounds",))
def a_seat_is_played(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Nobody keeps a seat for so many rounds without an ante; told once for every such row of rounds (D57)."""
    coup, limit = round_.session.round, rule["rp.seats.idle_rounds"]
    if coup is None or coup.closed is None or round_.touched or not limit:
        return
    idle = idle_after(round_.before, coup)
    for box, person in round_.before.owners.items():
        passed = idle.get(person, 0)
        if passed and passed % limit == 0:
            yield rule.finding(
                "seat_idle", "breach", "player", subject=f"seat/{box}", player=person, facts=(coup.closed.fact,),
                text=f"{passed} rounds without an ante; notice only",
            )  # fmt: skip


@RULES.check("RP-05", on=(DeckOpened,), parameters=("rp.deck.size",))
def one_deck_of_fifty_two(_before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """One deck, without jokers."""
    event = fact.event
    assert isinstance(event, DeckOpened)
    if event.decks != 1 or event.jokers:
        yield rule.finding("not_one_deck", "breach", "session", subject=event.deck, facts=(fact,))


@RULES.check("RP-06", parameters=("rp.deck.max_age_min", "rp.deck.age_tolerance_min", "rp.deck.change_on_dealer_rf"))
def the_deck_is_changed(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """About every hour, on order, and after a player's royal flush; no money by itself."""
    coup = round_.session.round
    if coup is None or coup.first_card is None:
        return
    if coup.deck_since is None:
        yield rule.unverified("deck_over_age", subject=coup.name, facts=(coup.first_card.fact,))
        return
    yield from _over_age(coup, coup.deck_since, rule)
    if coup.royal:
        yield rule.finding(
            "deck_not_changed", "breach", "round", subject=coup.name, facts=(coup.deck_since,),
            text=f"a player had a royal flush in round {coup.royal}",
        )  # fmt: skip
    elif coup.ordered is not None:
        ruling = getattr(coup.ordered.event, "ruling", "")
        yield rule.finding(
            "deck_not_changed", "breach", "round", subject=coup.name, facts=(coup.ordered, coup.deck_since),
            basis=ruling or "facts", text="management had ordered another deck",
        )  # fmt: skip


def _over_age(coup: Coup, since: Fact, rule: Rule) -> Iterator[Finding]:
    """Counted in whole minutes from the deck's coming to the round's beginning."""
    opened = coup.opened or (coup.first_card.fact if coup.first_card is not None else since)
    minutes = (opened.occurred_at - since.occurred_at) // 60_000
    most = rule["rp.deck.max_age_min"] + rule["rp.deck.age_tolerance_min"]
    if opened.occurred_at - since.occurred_at > most * 60_000:
        yield rule.finding(
            "deck_over_age", "breach", "round", subject=coup.name, facts=(since, opened),
            remedy={"minutes": minutes, "most": most}, text="notice only",
        )  # fmt: skip


# What the settlement noticed ------------------------------------------------------------------------------------------

_NOTICED: dict[str, tuple[str, ...]] = {
    "RP-01": ("rp.stake.invalid",),
    "RP-03": ("rp.boxes.late",),
    "RP-04": ("rp.limits.late", "rp.stake.invalid"),
    "RP-05": ("rp.misdeal.policy",),
    "RP-07": ("rp.shuffle.required_steps",),
    "RP-08": (),
    "RP-11": ("rp.stake.invalid", "rp.misdeal.policy"),
    "RP-12": ("rp.stake.invalid", "rp.bonus.stake", "rp.bonus.stake_deadline"),
    "RP-13": ("rp.misdeal.policy", "rp.order"),
    "RP-14": ("rp.bonus.hand", "rp.bonus.on_fold", "rp.bonus.on_exchange", "rp.bonus.lost_on_draw"),
    "RP-15": ("rp.draw.max_purchases", "rp.decision.final", "rp.order"),
    "RP-16": ("rp.fee.late", "rp.draw.face", "rp.misdeal.policy"),
    "RP-17": ("rp.exchange.min", "rp.exchange.max", "rp.fee.late", "rp.misdeal.policy"),
    "RP-18": ("rp.decision.final",),
    "RP-19": ("rp.bet.late", "rp.bet.after_reveal", "rp.bet.names"),
    "RP-20": ("rp.decision.final",),
    "RP-21": ("rp.insurance.invalid", "rp.insurance.min_hand", "rp.insurance.max_basis", "rp.insurance.hand"),
    "RP-22": ("rp.insurance.late_policy", "rp.insurance.on_fold"),
    "RP-23": ("rp.reveal.early",),
    "RP-36": ("rp.dealer_exchange.late_election", "rp.dealer_exchange.non_participants"),
    "RP-37": ("rp.dealer_exchange.wrong_card", "rp.burn", "rp.dealer_exchange.collect"),
    "RP-40": (
        "rp.dealer_exchange.max_total", "rp.dealer_exchange.same", "rp.dealer_exchange.repeat_eligible",
        "rp.dealer_exchange.unlawful", "rp.fee.late",
    ),
    "RP-42": ("rp.bonus.hand",),
    "RP-43": ("rp.max_payout.scope",),
    "RP-46": ("rp.misdeal.policy", "rp.collusion.void_enabled", "rp.burn"),
}  # fmt: skip
"""Rules whose breaches the settlement finds, with the parameters that it reads for them."""

for _id, _parameters in _NOTICED.items():
    RULES.check(_id, parameters=_parameters)(noticed)


@RULES.check("RP-09", parameters=("rp.void.refund_stakes", "rp.void.refund_fees", "rp.void.after_payout"))
def management_may_void(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A ruling good in form voids the round; one that is not has no effect and says why."""
    yield from noticed(round_, rule)


# Settlement -----------------------------------------------------------------------------------------------------------

GENERAL = "RP-44"
_PAYS: dict[str, tuple[str, ...]] = {
    "RP-14": (),
    "RP-16": ("rp.fee.refundable",),
    "RP-17": ("rp.fee.refundable",),
    "RP-20": (),
    "RP-25": ("rp.insurance.settle_on",),
    "RP-27": ("rp.compare",),
    "RP-28": ("rp.compare", "rp.double.pay_on_tie"),
    "RP-29": (),
    "RP-30": ("rp.bet.odds.CZK", "rp.bet.stake_returned"),
    "RP-31": (
        "rp.double.rule", "rp.double.table", "rp.double.straight_dup_rank", "rp.double.max",
        "rp.double.second_must_beat_dealer",
    ),
    "RP-35": (),
    "RP-37": (),
    "RP-38": ("rp.dealer_exchange.tie_returns_ante", "rp.dealer_exchange.win_returns_ante", "rp.compare"),
    "RP-39": ("rp.dealer_exchange.ante_after_fail",),
    "RP-40": (),
    "RP-42": ("rp.bonus.table", "rp.bonus.stake_returned", "rp.bonus.requires_qualified_dealer"),
    "RP-43": ("rp.max_payout.scope",),
    "RP-45": ("rp.void.refund_stakes", "rp.void.refund_fees"),
}  # fmt: skip
"""Rules that fix what a stake is due: a payment otherwise is reported under them, by way of RP-44."""


def wrongly_settled(round_: Round[Session]) -> tuple[Wrong, ...]:
    """Every stake of the round that was settled otherwise than due."""
    coup = round_.session.round
    if coup is None:
        return ()
    return comparison.wrongly_settled(round_, _exact, GENERAL, is_closed=coup.closed is not None)


def _exact(line: Line, was: Line | None) -> tuple[str, str]:
    """The rule that fixes the line; a stake taken that is the player's is a wrong take."""
    code = "wrong_take" if was is not None and was.taken > line.taken else "wrong_payout"
    return (line.rule if line.rule in _PAYS else GENERAL), code


def pays_as_the_rules_fix(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A stake whose outcome this very rule fixes was settled otherwise."""
    coup = round_.session.round
    for wrong in wrongly_settled(round_):
        if wrong.rule == rule.id and coup is not None:
            closed = coup.closed.fact if coup.closed is not None else None
            yield comparison.mispaid(round_, rule, wrong, via=GENERAL, settles=coup.settles, closed=closed)


for _id, _parameters in {**_PAYS, GENERAL: ()}.items():
    RULES.check(_id, parameters=_parameters)(pays_as_the_rules_fix)


@RULES.check("RP-41")
def stakes_are_settled_in_order(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Insurance first; where the dealer does not qualify the ante before the Bet. No money if the totals are right."""
    analysis, coup = analysis_of(round_), round_.session.round
    if coup is None or analysis.void:
        return
    for own in analysis.boxes:
        if own.dealer is None:
            continue
        first, last = _settled_at(own.box.stakes, coup)
        pairs = [("insurance", "ante"), ("insurance", "bet")]
        if not _first_qualifies(analysis):
            pairs.append(("ante", "bet"))
        for before, after in pairs:
            if before in last and after in first and first[after][0] < last[before][0]:
                yield rule.finding(
                    "settled_out_of_order", "breach", "hand", subject=f"box/{own.box.number}", player=own.box.player,
                    facts=(first[after][1], last[before][1]), text=f"the {after} before the {before}",
                )  # fmt: skip
                break


def _first_qualifies(analysis: Analysis) -> bool:
    first = analysis.outcome.first if analysis.outcome is not None else None
    return first is not None and first.qualifies


def _settled_at(stakes: Sequence[Stake], coup: Coup) -> tuple[dict[str, tuple[int, Fact]], dict[str, tuple[int, Fact]]]:
    """Spot → place and record of the first and of the last movement that settles it (chips back are none)."""
    spots = {stake.id: stake.spot for stake in stakes}
    first: dict[str, tuple[int, Fact]] = {}
    last: dict[str, tuple[int, Fact]] = {}
    for place, fact in enumerate(coup.settles):
        event = fact.event
        spot = spots.get(getattr(event, "stake", ""))
        if spot is not None and getattr(event, "cause", "") != "return":
            first.setdefault(spot, (place, fact))
            last[spot] = (place, fact)
    return first, last


READINGS = {
    "rp.double.straight_dup_rank": "RP-31",
    "rp.compare": "RP-28",
    "rp.insurance.late_policy": "RP-22",
    "rp.insurance.on_fold": "RP-22",
    "rp.insurance.hand": "RP-21",
    "rp.dealer_exchange.max_total": "RP-40",
    "rp.bonus.hand": "RP-42",
    "rp.max_payout.scope": "RP-43",
    "rp.misdeal.policy": "RP-46",
    "rp.exchange.min": "RP-17",
    "rp.exchange.max": "RP-17",
}
"""Decisions of which another reading moves other money, and the rule under which that is told."""


def both_readings(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Where the house has not taken the catalogue's default and that moves other money, both are told."""
    own = {name: id_ for name, id_ in READINGS.items() if id_ == rule.id}
    session = round_.session
    if session.round is None:
        return

    def due_by(edition: Edition) -> Settlement:
        return analyse(replace(session, edition=edition)).settlement

    for mark in other_readings(session.edition, PARAMETERS, own, round_.due, due_by):
        yield _finding(rule, mark)


for _id in sorted(set(READINGS.values())):
    RULES.check(_id, parameters=tuple(name for name, id_ in READINGS.items() if id_ == _id))(both_readings)


# What nothing can break -----------------------------------------------------------------------------------------------

RULES.cannot_be_broken("RP-10", "says what the cards are worth")
RULES.cannot_be_broken("RP-24", "says when the dealer qualifies; a payment against it is reported by RP-25 to RP-39")
RULES.cannot_be_broken("RP-26", "says how hands compare; a payment against it is reported by RP-27 to RP-29")
RULES.cannot_be_broken("RP-32", "says which second combination there is; a payment against it is reported by RP-31")
RULES.cannot_be_broken("RP-33", "examples of RP-31 and RP-32")
RULES.cannot_be_broken("RP-34", "counts by which RP-32 is checked, a matter of this program and not of a table")
