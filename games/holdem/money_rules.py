"""Checks of showdown, pots, rake and awards (NL-02, NL-24, NL-27 … NL-33)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from events.schema.fact import Fact
from games.holdem.book import BOOK
from games.holdem.payouts import FULL_BOARD, evaluate
from games.holdem.state import HOME_CURRENCY
from games.holdem.tape import Tape, tape_of
from games.house_rules.rulebook import Rule
from games.protocol import Round
from games.shared.poker.events import HandMucked, HandShown
from games.shared.poker.hand import Hand, Terms, button_place, last_aggressor
from games.shared.poker.ranks import rank_key
from games.shared.poker.settling import tabled
from games.shared.poker.showdown import show_order
from games.shared.poker.table import Session
from games.verdict import Finding, Settlement


class Wrong(Struct, frozen=True, gc=False):
    """One difference between what was paid and what is due; `money` minor units, positive: owed to the seat."""

    rule: str
    code: str
    stake: str = ""
    player: str = ""
    money: int = 0
    remedy: dict[str, int] = {}


def wrongs(round_: Round[Session]) -> tuple[Wrong, ...]:
    """Every difference of a closed hand, each with the rule that fixes it; computed once a round."""
    memo = round_.memo
    if "wrongs" not in memo:
        memo["wrongs"] = tuple(_wrongs(round_))
    found: tuple[Wrong, ...] = memo["wrongs"]
    return found


def _wrongs(round_: Round[Session]) -> Iterator[Wrong]:
    hand, due, paid = round_.session.hand, round_.due, round_.recorded
    if hand is None or hand.name != round_.name or paid is None or not due.known or not due.pots:
        return
    if not hand.closed or any(hand.apart):
        return  # chips that an action owes or gets back are that action's finding
    apart = round_.differences
    over = paid.rake - due.rake
    if not apart and not over:
        return
    players = {line.stake: line.player for line in due.lines}
    held = any(line.held for line in due.lines)
    unaccounted = 0 if held else sum(apart.values()) - over
    if over:
        yield from _rake(apart, over, players, whole=not unaccounted)
        if not unaccounted and _one_sided(apart, over):
            return
    if unaccounted and not apart:
        yield Wrong("NL-02", "unaccounted", remedy={"unaccounted": unaccounted})
    if unaccounted and _one_sided(apart, unaccounted):
        rule, code = "NL-02", "unaccounted"
    else:
        rule, code = _split(hand, round_.session.terms, due, paid, apart)
    for stake, money in apart.items():
        yield Wrong(rule, code, stake, players.get(stake, ""), money)


def _one_sided(apart: dict[str, int], total: int) -> bool:
    """All differences have the sign of `total`: they are shares of it."""
    return all((money > 0) == (total > 0) for money in apart.values())


def _rake(apart: dict[str, int], over: int, players: dict[str, str], *, whole: bool) -> Iterator[Wrong]:
    """Over-rake is owed to the winners, by their shares; under-rake is the house's loss (NL-33)."""
    if over > 0 and whole and _one_sided(apart, over):
        for stake, money in apart.items():
            yield Wrong("NL-33", "over_rake", stake, players.get(stake, ""), money, {"over": over})
    else:
        yield Wrong("NL-33", "over_rake" if over > 0 else "under_rake", remedy={"over": over})


def _split(hand: Hand, terms: Terms, due: Settlement, paid: Settlement, apart: dict[str, int]) -> tuple[str, str]:
    """Which rule a wrong split breaks: the most exact that explains it."""
    if len(hand.left) < 2:
        return "NL-32", "last_player"
    winners = {line.stake for line in due.lines if line.paid}
    got = {line.stake for line in paid.lines if line.paid}
    if winners == got and max(map(abs, apart.values())) <= terms.unit and len(winners) > 1:
        return "NL-31", "odd_chip"
    places = {f"seat/{seat}": place for place, seat in enumerate(hand.seats)}
    over = [stake for stake, money in apart.items() if money < 0 and stake in got]
    shown = [stake for stake in over if stake in places and tabled(hand, places[stake], terms.hole)]
    if over and not shown and any(tabled(hand, place, terms.hole) for place in hand.left):
        return "NL-28", "award_to_untabled"
    was = {line.stake: line for line in paid.lines}
    for stake in over:
        entitled = sum(pot.amount for pot in due.pots if stake in pot.eligible)
        if was[stake].paid > entitled:
            return "NL-24", "side_pot"
    if len(winners) > 1 and winners == got and len(due.pots) == 1:
        return "NL-32", "wrong_split"
    return "NL-29", "wrong_winner"


def _paid_as_due(round_: Round[Session]) -> bool:
    return not wrongs(round_)


def _mispaid(rule_id: str) -> object:
    def check(round_: Round[Session], rule: Rule) -> Iterable[Finding]:
        found = wrongs(round_)
        return findings(round_, rule, found) if found else ()

    def findings(round_: Round[Session], rule: Rule, found: tuple[Wrong, ...]) -> Iterator[Finding]:
        for wrong in found:
            if wrong.rule == rule_id:
                tape = tape_of(round_)
                assert tape is not None
                facts = tape.rakes if rule_id == "NL-33" else _about(tape, wrong.stake)
                yield rule.finding(
                    wrong.code, "mispaid", "hand" if wrong.stake else "round", subject=wrong.stake,
                    player=wrong.player, money=wrong.money, remedy=dict(wrong.remedy), facts=facts,
                    via="" if rule_id in ("NL-02", "NL-32", "NL-33") else "NL-32",
                )  # fmt: skip

    return check


def _about(tape: Tape, stake: str) -> list[Fact]:
    return [fact for fact in tape.awards if getattr(fact.event, "to", "") == stake] or tape.awards


_MONEY_PARAMETERS: dict[str, tuple[str, ...]] = {
    "NL-02": (),
    "NL-24": (),
    "NL-28": ("showdown_muck_allowed",),
    "NL-29": ("wheel_straight", "ranking_between"),
    "NL-31": ("odd_chip",),
    "NL-32": ("award_error_deadline",),
    "NL-33": (
        "rake_rate_bp", "rake_cap_czk", "rake_cap_other_currency", "rake_rounding", "rake_base", "no_flop_no_drop",
        "rake_allocation", "rake_source",
    ),
}  # fmt: skip

for _rule, _names in _MONEY_PARAMETERS.items():
    BOOK.check(_rule, parameters=_names, unless=_paid_as_due)(_mispaid(_rule))  # type: ignore[arg-type]


@BOOK.check("NL-33", parameters=("rake_cap_other_currency", "rake_rate_bp"))
def cap_of_another_currency(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """The cap is in CZK; in another currency the nearest value, which the house has to name."""
    session = round_.session
    terms = session.terms.rake
    if session.currency == HOME_CURRENCY or terms is None or terms.cap is not None or not terms.rate_bp:
        return
    yield rule.finding(
        "no_cap_in_currency", "ruling_required", "round", text=f"no cap of the rake is set in {session.currency}"
    )


@BOOK.check("NL-29")
def tabled_hands_can_be_read(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A hand that lay tabled and that no record names: nothing is moved (NL-37)."""
    session = round_.session
    hand = session.hand
    if round_.due.known or hand is None or hand.name != round_.name or not hand.ready:
        return
    for place in hand.left:
        if tabled(hand, place, session.terms.hole) and evaluate(hand, place) is None:
            seat = hand.seats[place]
            text = f"the hand that seat {seat} tabled cannot be read from the record"
            yield rule.unverified("hand_not_readable", "hand", subject=f"seat/{seat}", text=text)


@BOOK.check("NL-32")
def the_record_tells_who_won(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """What is missing where a closed hand does not say who gets the pot, and no tabled hand is at fault."""
    session = round_.session
    hand = session.hand
    if round_.due.known or hand is None or hand.name != round_.name or not hand.closed or not hand.contributed:
        return
    cards = session.terms.hole
    open_ = [place for place in hand.left if tabled(hand, place, cards)]
    if hand.ready and any(evaluate(hand, place) is None for place in open_):
        return
    if len(hand.board) < FULL_BOARD:
        yield rule.unverified("board_not_complete", text=f"{len(hand.board)} of {FULL_BOARD} board cards are on record")
    elif not hand.ready:
        yield rule.unverified("betting_not_closed", text="the record does not tell how the betting ended")
    else:
        silent = ", ".join(str(hand.seats[place]) for place in hand.left if place not in open_ and not hand.gone[place])
        yield rule.unverified("nobody_tabled", text=f"neither tabled nor mucked on record: seats {silent}")


@BOOK.check("NL-27", on=(HandShown,), parameters=("showdown_order_scope",))
def last_aggressor_shows_first(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """The last who bet or raised shows first, then clockwise; nobody did: the first after the button."""
    hand, event = session.hand, fact.event
    assert isinstance(event, HandShown)
    if hand is None or hand.name != fact.round or not hand.ready or hand.over or hand.closed or any(hand.won):
        return
    place = hand.place(event.seat)
    if place < 0 or hand.out[place] or place in hand.shows:
        return
    waiting = [
        other for other in due_to_show(session, hand) if other not in hand.shows and hand.gone[other] != "mucked"
    ]
    if waiting and waiting[0] != place:
        yield rule.finding(
            "shown_out_of_order", "breach", "hand", subject=f"seat/{event.seat}", player=hand.players[place],
            facts=(fact,), remedy={"next": f"seat/{hand.seats[waiting[0]]}"},
        )  # fmt: skip


def due_to_show(session: Session, hand: Hand) -> list[int]:
    """Positions still in, in the order in which they have to show."""
    last = last_aggressor(hand, session.terms.order_scope)
    return show_order(hand.left, len(hand.seats), button_place(hand, session.terms.heads_up), last)


def all_in_showdown(hand: Hand) -> bool:
    """Whether nobody could act any more before the river was bet out."""
    return sum(1 for place in hand.left if hand.stacks[place] - hand.back[place] - hand.won[place] > 0) < 2


@BOOK.check("NL-28", on=(HandMucked,), parameters=("showdown_muck_allowed",))
def hands_are_tabled(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Who takes part in a showdown shows both cards; giving up an unclaimed hand is tolerated, not all-in."""
    hand, event = session.hand, fact.event
    assert isinstance(event, HandMucked)
    if hand is None or hand.name != fact.round or not hand.ready or hand.over:
        return
    place = hand.place(event.seat)
    if place < 0 or hand.out[place] or (rule["showdown_muck_allowed"] and not all_in_showdown(hand)):
        return
    yield rule.finding(
        "mucked_all_in" if rule["showdown_muck_allowed"] else "mucked", "breach", "hand",
        subject=f"seat/{event.seat}", player=hand.players[place], facts=(fact,),
    )  # fmt: skip


@BOOK.check("NL-28")
def somebody_tables_for_each_pot(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A pot goes only to a tabled hand; where none that may win it is, a person rules. Dead chips above all live
    hands belong to nobody (pot algorithm, step 2)."""
    for pot in round_.due.pots if round_.due.known else ():
        if not pot.awards and pot.amount > pot.rake:
            yield rule.finding(
                "no_hand_tabled" if pot.eligible else "no_eligible_seat", "ruling_required", "round",
                subject=pot.name, rule="" if pot.eligible else "NL-24", remedy={"amount": pot.amount - pot.rake},
            )  # fmt: skip


def plays_board(session: Session, hand: Hand, place: int) -> bool:
    """Whether a tabled hand is worth just what the board is: its owner claims a share with the board (NL-30)."""
    if len(hand.board) != FULL_BOARD or not tabled(hand, place, session.terms.hole):
        return False
    key = evaluate(hand, place)
    return key is not None and key[0] == rank_key(hand.board)


def must_show(session: Session, hand: Hand) -> bool:
    """Whether whoever is still to show may not give his hand away."""
    if not session.edition["showdown_muck_allowed"] or all_in_showdown(hand):
        return True
    return any(plays_board(session, hand, place) for place in hand.shows if not hand.out[place])


@BOOK.check("NL-30", on=(HandMucked,))
def nobody_mucks_when_the_board_plays(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """If somebody plays the board, all who are left show."""
    hand, event = session.hand, fact.event
    assert isinstance(event, HandMucked)
    if hand is None or hand.name != fact.round or not hand.ready or hand.over:
        return
    place = hand.place(event.seat)
    if place < 0 or hand.out[place]:
        return
    if any(plays_board(session, hand, other) for other in hand.shows if not hand.out[other]):
        yield _untabled(rule, hand, place, [fact])


@BOOK.check("NL-30")
def all_show_when_the_board_plays(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """… before the award. Of hands that a site does not show its history tells nothing."""
    session = round_.session
    hand = session.hand
    if hand is None or session.imported or hand.name != round_.name or hand.over or not (hand.closed or any(hand.won)):
        return
    silent = [place for place in hand.left if not hand.gone[place] and not tabled(hand, place, session.terms.hole)]
    if not silent or not any(plays_board(session, hand, place) for place in hand.shows if not hand.out[place]):
        return
    for place in silent:
        if round_.touched:
            yield rule.unverified("board_plays_untabled", "hand", subject=f"seat/{hand.seats[place]}")
        else:
            yield _untabled(rule, hand, place, ())


def _untabled(rule: Rule, hand: Hand, place: int, facts: Sequence[Fact]) -> Finding:
    return rule.finding(
        "board_plays_untabled", "breach", "hand", subject=f"seat/{hand.seats[place]}", player=hand.players[place],
        facts=facts, text="somebody plays the board: all who are left show",
    )  # fmt: skip
