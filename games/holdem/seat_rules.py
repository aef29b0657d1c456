"""Checks of button, blinds and posts (NL-03, NL-06 … NL-09, NL-45)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from events.schema.common import ChipsMoved, LimitsChanged, TableOpened
from events.schema.fact import Fact
from events.values.cards import RANKS, UNKNOWN
from events.values.money import MINOR_PER_MAJOR
from events.values.places import POT
from games.holdem.book import BOOK
from games.house_rules.rulebook import Rule
from games.protocol import Round
from games.shared.poker.betting import NOBODY
from games.shared.poker.blinds import Debt, blind_places, debts, posted_by, posts_due, straddler
from games.shared.poker.events import ButtonPlaced, Posted
from games.shared.poker.hand import Hand
from games.shared.poker.seats import next_positions
from games.shared.poker.table import Session
from games.verdict import Finding

_ANTES = frozenset({"ante", "big_blind_ante", "button_ante"})
_RETURN_POSTS = frozenset({"missed_big_blind", "dead_small_blind", "dead_big_blind"})


def hand_of(round_: Round[Session]) -> Hand | None:
    hand = round_.session.hand
    return hand if hand is not None and hand.name == round_.name else None


def told_by_a_site(round_: Round[Session]) -> bool:
    """An imported hand: button and posts are as the site's own rules had them, and no hand went before it."""
    return round_.session.imported


def from_the_pot(_session: Session, fact: Fact) -> bool:
    """Chips that leave the pot, as nearly all movements do."""
    event = fact.event
    return type(event) is ChipsMoved and event.frm == POT


@BOOK.check("NL-06", on=(ButtonPlaced,), parameters=("button_draw_suit_order",))
def highest_card_takes_the_button(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Of the cards drawn at the start the highest takes the button, of equal ones by suit."""
    hand, event = session.hand, fact.event
    assert isinstance(event, ButtonPlaced)
    drawn = session.draws or (hand.drawn if hand is not None and hand.name == fact.round else ())
    again = hand is not None and hand.name == fact.round and hand.misdeals > 0
    if not drawn or again:
        return
    if any(card == UNKNOWN for _seat, card in drawn):
        yield rule.unverified("button_draw", facts=(fact,))
        return
    best = drawn_button(drawn, rule["button_draw_suit_order"])
    silent = set(session.seated).difference(session.away, (seat for seat, _card in drawn))
    if event.seat == best and silent:
        # A card that is not on record may have been higher.
        text = f"no card drawn by seat {', '.join(map(str, sorted(silent)))} is on record"
        yield rule.unverified("button_draw", facts=(fact,), text=text)
    if event.seat != best:
        yield rule.finding(
            "button_not_to_highest", "breach", "round", subject=f"seat/{event.seat}", facts=(fact,),
            remedy={"seat": f"seat/{best}"},
        )  # fmt: skip


def drawn_button(drawn: tuple[tuple[int, str], ...], suits: str) -> int:
    """The seat with the highest card; `suits` from high to low."""
    return max(drawn, key=lambda one: (RANKS.index(one[1][0]), -suits.index(one[1][1])))[0]


def button_due(session: Session, hand: Hand) -> int:
    """The seat on which the button of a hand is due by the hand before; 0 if nobody can tell."""
    before, terms = session.before, session.terms
    if hand.drawn or before.stays:
        return 0 if hand.drawn else before.positions.button
    entering = [entry for entry in hand.entering if entry.player in hand.players]
    return next_positions(before.positions, hand.seats, entering, terms.seating, terms.heads_up).button


@BOOK.check("NL-07", parameters=("button_rule",), unless=told_by_a_site)
def button_moves_to_the_next(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """After each hand the button moves clockwise to the next player dealt in; after a misdeal it stays."""
    hand = hand_of(round_)
    if hand is None or not hand.button or len(hand.seats) < 2:
        return
    due = button_due(round_.session, hand)
    if due in (0, hand.button):
        return
    facts = [fact for fact in round_.facts if isinstance(fact.event, ButtonPlaced)]
    if any(isinstance(fact.event, ButtonPlaced) and fact.event.why for fact in facts):
        return  # an irregular move with its reason on record is for a person
    if round_.touched:
        yield rule.unverified("button", facts=facts)
        return
    last = round_.session.before.positions.button
    yield rule.finding(
        "button_moved_wrong", _kind(hand), "round", subject=f"seat/{hand.button}", facts=facts,
        remedy={"seat": f"seat/{due}"},
        text=f"after seat/{last} it stays there" if due == last else f"after seat/{last} it comes to seat/{due}",
    )  # fmt: skip


def _not_strayed(round_: Round[Session]) -> bool:
    hand = round_.session.hand
    return hand is None or not hand.strayed or hand.name != round_.name


@BOOK.check("NL-07", unless=_not_strayed)
def button_stays_after_a_misdeal(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """After a misdeal the same hand is dealt again: button and blinds are where they were."""
    hand = hand_of(round_)
    if hand is None:
        return
    facts = [fact for fact in round_.facts if isinstance(fact.event, ButtonPlaced) and fact.event.seat == hand.strayed]
    yield rule.finding(
        "button_moved_after_misdeal", _kind(hand), "round", subject=f"seat/{hand.strayed}", facts=facts[-1:],
        remedy={"seat": f"seat/{hand.button}"}, text="after a misdeal the button does not move",
    )  # fmt: skip


def _facts(round_: Round[Session], seat: int, kinds: Sequence[str] | frozenset[str]) -> list[Fact]:
    return [
        fact
        for fact in round_.facts
        if isinstance(fact.event, Posted) and fact.event.seat == seat and fact.event.kind in kinds
    ]


def _kind(hand: Hand) -> Literal["breach", "corrected"]:
    return "breach" if hand.actions else "corrected"


def _bet(
    rule: Rule, round_: Round[Session], hand: Hand, place: int, code: str, kinds: Sequence[str], text: str = "",
    *, kind: Literal["breach", "corrected"] | None = None, **remedy: int | str,
) -> Finding:  # fmt: skip
    """A finding about one seat's posts of some kinds."""
    seat = hand.seats[place]
    return rule.finding(
        code, kind or _kind(hand), "bet", subject=f"seat/{seat}", player=hand.players[place],
        facts=_facts(round_, seat, kinds), remedy=remedy, text=text,
    )  # fmt: skip


@BOOK.check("NL-03", parameters=("ante", "straddle"), unless=told_by_a_site)
def posts_are_as_announced(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Blinds and antes have the announced amounts, unless a stack is shorter; nothing is posted that is not played."""
    hand, session = hand_of(round_), round_.session
    if hand is None or not hand.posts:
        return
    stakes = session.stakes
    announced = {"small_blind": stakes.small_blind, "big_blind": stakes.big_blind} if stakes.announced else {}
    paid: dict[tuple[int, str], int] = {}
    left = hand.start.copy()
    all_in: set[tuple[int, str]] = set()
    for place, kind, amount in hand.posts:
        paid[place, kind] = paid.get((place, kind), 0) + amount
        left[place] -= amount
        if not left[place]:
            all_in.add((place, kind))
    for (place, what), total in paid.items():
        due = announced.get(what, total)
        short = total < due and ((place, what) in all_in or total == _has_for(session, hand, place, what))
        if total != due and not short:
            yield _bet(rule, round_, hand, place, "blind_amount", (what,), amount=due)
        if what == "straddle":
            yield from _straddle(round_, rule, hand, place, total)
    yield from _antes(round_, rule, hand, paid)


def _has_for(session: Session, hand: Hand, place: int, kind: str) -> int:
    """What a seat can post of a kind, its ante laid aside that is still to come; 0 if it owes none."""
    posts = posts_due(hand, session.before.positions, session.stakes, session.terms)
    return next((post.amount for post in posts if (post.place, post.kind) == (place, kind)), 0)


def _straddle(round_: Round[Session], rule: Rule, hand: Hand, place: int, amount: int) -> Iterator[Finding]:
    """Where it is played: left of the big blind, twice its amount; otherwise it is none and goes back (VG-STR-01)."""
    session = round_.session
    if not rule["straddle"]:
        yield _bet(rule, round_, hand, place, "straddle", ("straddle",), "no straddles here", kind="breach")
        return
    right, twice = straddler(hand, session.before.positions, session.terms), 2 * session.stakes.big_blind
    if place != right:
        who = "nobody may straddle" if right == NOBODY else f"only seat/{hand.seats[right]} may straddle"
        yield _bet(rule, round_, hand, place, "straddle_seat", ("straddle",), who, returned=amount)
    elif amount != twice:
        yield _bet(rule, round_, hand, place, "straddle_amount", ("straddle",), amount=twice, returned=amount)


def _antes(round_: Round[Session], rule: Rule, hand: Hand, paid: dict[tuple[int, str], int]) -> Iterator[Finding]:
    session = round_.session
    due: dict[tuple[int, str], int] = {
        (post.place, post.kind): post.amount
        for post in posts_due(hand, session.before.positions, session.stakes, session.terms)
        if post.kind in _ANTES
    }
    posted = {key: amount for key, amount in paid.items() if key[1] in _ANTES}
    for (place, what), amount in posted.items():
        if not due:
            yield _bet(rule, round_, hand, place, "ante", (what,), "no antes here", kind="breach")
        elif amount != due.get((place, what), 0):
            right = due.get((place, what), 0)
            yield _bet(rule, round_, hand, place, "ante_amount", (what,), amount=right)
    missing = [key for key in due if key not in posted] if hand.dealt else []
    if missing and round_.touched:
        yield rule.unverified("no_ante")
        return
    for key in missing:
        yield _bet(rule, round_, hand, key[0], "no_ante", (key[1],), missing=due[key])


# --- posts put right before anybody acted ---


def _nothing_put_right(round_: Round[Session]) -> bool:
    hand = round_.session.hand
    return hand is None or round_.session.imported or not (hand.withdrawn or _in_parts(hand))


def _in_parts(hand: Hand) -> list[tuple[int, str]]:
    """Position and kind of posts that came in more than one part: the first was too small."""
    keys = [(place, kind) for place, kind, _amount in hand.posts]
    return [key for number, key in enumerate(keys) if key in keys[:number]] if len(set(keys)) < len(keys) else []


@BOOK.check("NL-03", parameters=("ante", "straddle"), unless=_nothing_put_right)
def amounts_put_right(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A post of a wrong amount, or one that is not played, that was put right before anybody acted."""
    hand, session = hand_of(round_), round_.session
    if hand is None:
        return
    stakes = session.stakes
    due: dict[str, int] = {"small_blind": stakes.small_blind, "big_blind": stakes.big_blind} if stakes.announced else {}
    for place, kind in dict.fromkeys(_in_parts(hand)):
        if sum(amount for own, what, amount in hand.posts if (own, what) == (place, kind)) == due.get(kind):
            yield _bet(
                rule, round_, hand, place, "blind_amount", (kind,), _PUT_RIGHT, kind="corrected", amount=due[kind]
            )
    each = {(post.place, post.kind) for post in posts_due(hand, session.before.positions, stakes, session.terms)}
    for one in hand.withdrawn:
        place = hand.place(one.seat)
        back = one.posted - one.left
        if one.kind in due and one.left in (0, due[one.kind]) and one.posted != due[one.kind]:
            yield _bet(
                rule, round_, hand, place, "blind_amount", (one.kind,), _PUT_RIGHT, kind="corrected",
                amount=due[one.kind],
            )  # fmt: skip
        elif one.kind in _ANTES and (place, one.kind) not in each:
            yield _bet(rule, round_, hand, place, "ante", (one.kind,), _PUT_RIGHT, kind="corrected", returned=back)
        elif one.kind == "straddle" and (one.left or not rule["straddle"]):
            yield _bet(rule, round_, hand, place, "straddle", (one.kind,), _PUT_RIGHT, kind="corrected", returned=back)


_PUT_RIGHT = "put right before anybody acted"


@BOOK.check("NL-03", on=(TableOpened, LimitsChanged), parameters=("table_max_bet",))
def no_maximum_but_the_one_configured(_session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """A posted maximum collides with no limit: it holds only where the edition has it (NL-A24)."""
    event, most = fact.event, rule["table_max_bet"]
    assert isinstance(event, TableOpened | LimitsChanged)
    if event.max is None or (most is not None and event.max == most * MINOR_PER_MAJOR):
        return
    yield rule.finding(
        "posted_maximum", "advisory" if most is None else "breach", "session", facts=(fact,),
        remedy={} if most is None else {"amount": most * MINOR_PER_MAJOR},
        text="the table shows a maximum bet that the edition does not know: it limits nothing",
    )  # fmt: skip


_BEFORE_THE_DEAL: dict[str, str] = {
    "small_blind": "NL-08", "big_blind": "NL-08", "straddle": "NL-03",
    **dict.fromkeys(sorted(_RETURN_POSTS), "NL-45"),
}  # fmt: skip


def _in_time(session: Session, fact: Fact) -> bool:
    hand = session.hand
    return session.imported or hand is None or hand.name != fact.round or not hand.dealt


def _late(rule_id: str) -> None:
    @BOOK.check(rule_id, on=(Posted,), unless=_in_time)
    def posted_before_the_deal(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
        """Blinds are posted before the cards are dealt, and so are a straddle and what who returns owes."""
        hand, event = session.hand, fact.event
        assert isinstance(event, Posted)
        if hand is None or _BEFORE_THE_DEAL.get(event.kind) != rule_id or hand.misdeals:
            return
        if event.kind == "straddle" and not session.terms.seating.straddle:
            return  # it is not played at all, which the other check says
        if event.kind in _RETURN_POSTS and all(entry.seat != event.seat for entry in hand.entering):
            return  # he owes nothing, which the other check says
        yield rule.finding(
            f"{event.kind}_late", _kind(hand), "bet", subject=f"seat/{event.seat}", facts=(fact,),
            player=session.seated.get(event.seat, ""), text="posted when cards had been dealt",
        )  # fmt: skip


for _rule_id in ("NL-03", "NL-08", "NL-45"):
    _late(_rule_id)


@BOOK.check("NL-08", parameters=("heads_up_blinds", "button_rule"), unless=told_by_a_site)
def blinds_left_of_the_button(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """First left of the button the small blind, the next the big blind of twice as much."""
    hand, session = hand_of(round_), round_.session
    if hand is None or not hand.button or len(hand.seats) < 2:
        return
    stakes = session.stakes
    if stakes.announced and stakes.big_blind != 2 * stakes.small_blind:
        yield rule.finding(
            "big_blind_not_double", "breach", "round", remedy={"big_blind": 2 * stakes.small_blind},
            text="the big blind is twice the small blind",
        )  # fmt: skip
    places = dict(
        zip(("small_blind", "big_blind"), blind_places(hand, session.before.positions, session.terms), strict=True)
    )
    for place, kind, _amount in hand.posts:
        due = places.get(kind, place)
        if place == due:
            continue
        if due == NOBODY:
            yield _bet(rule, round_, hand, place, f"{kind}_seat", (kind,), "its seat is empty: none is posted")
            continue
        right = f"seat/{hand.seats[due]}"
        yield _bet(rule, round_, hand, place, f"{kind}_seat", (kind,), f"due from {right}", seat=right)


@BOOK.check("NL-08", parameters=("heads_up_blinds", "button_rule"), unless=_nothing_put_right)
def blinds_of_others_taken_back(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A blind that came from the wrong seat and went back to it before anybody acted."""
    hand, session = hand_of(round_), round_.session
    if hand is None or not hand.button or len(hand.seats) < 2:
        return
    small, big = blind_places(hand, session.before.positions, session.terms)
    for one in hand.withdrawn:
        due = {"small_blind": small, "big_blind": big}.get(one.kind, NOBODY)
        if due != NOBODY and one.seat != hand.seats[due] and not one.left:
            right = f"seat/{hand.seats[due]}"
            yield _bet(
                rule, round_, hand, hand.place(one.seat), f"{one.kind}_seat", (one.kind,),
                f"due from {right}; {_PUT_RIGHT}", kind="corrected", seat=right,
            )  # fmt: skip


@BOOK.check("NL-09", parameters=("button_rule",), unless=told_by_a_site)
def both_blinds_in_every_hand(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Small and big blind are paid in every hand; who returns as small blind pays it to the pot (NL-45)."""
    hand, session = hand_of(round_), round_.session
    if hand is None or not (hand.actions or hand.dealt) or len(hand.seats) < 2:
        return
    stakes, last = session.stakes, session.before.positions
    small, big = blind_places(hand, last, session.terms)
    returning = {debt.place for debt in debts(hand, last, stakes, session.terms) if debt.spot == "small_blind"}
    posted: set[str] = {kind for _place, kind, _amount in hand.posts}
    for kind, place, amount in (
        ("small_blind", small, stakes.small_blind), ("big_blind", big, stakes.big_blind),
    ):  # fmt: skip
        if kind in posted or place == NOBODY or place in returning or hand.start[place] <= hand.antes[place]:
            continue
        if round_.touched:
            yield rule.unverified(f"no_{kind}")
            continue
        yield rule.finding(
            f"no_{kind}", _kind(hand), "round", subject=f"seat/{hand.seats[place]}", player=hand.players[place],
            remedy={"missing": amount},
            text="both blinds are paid in every hand"
            + ("; it was not put right before the first action, so the hand stands without it" if hand.actions else ""),
        )  # fmt: skip


# --- who comes back, who is new ---


@BOOK.check("NL-45", parameters=("missed_blind_due", "new_player_post"), unless=told_by_a_site)
def missed_blinds_are_posted(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Who was passed by the blinds posts when he is dealt in again, by where he sits; who is new posts a big blind."""
    hand, session = hand_of(round_), round_.session
    if hand is None or len(hand.seats) < 2:
        return
    owing = debts(hand, session.before.positions, session.stakes, session.terms)
    for debt in owing:
        yield from _debt(round_, rule, hand, debt)
    if not hand.entering and not any(kind in _RETURN_POSTS for _place, kind, _amount in hand.posts):
        return
    known = {debt.place for debt in owing}
    unknown = [entry for entry in hand.entering if entry.owes is None and entry.player in hand.players]
    for entry in unknown:
        place = hand.place(entry.seat)
        known.add(place)
        if place != NOBODY and posted_by(hand, place)[0] < session.stakes.big_blind and (hand.dealt or hand.actions):
            yield rule.unverified("missed_blinds", "player", subject=f"seat/{entry.seat}", player=entry.player)
    for place, kind, amount in hand.posts:
        if kind in _RETURN_POSTS and place not in known and hand.players[place] in session.before.stacks:
            yield _bet(
                rule, round_, hand, place, "nothing_missed", (kind,), "no blind has passed him", returned=amount,
            )  # fmt: skip


@BOOK.check("NL-45", parameters=("missed_blind_due", "new_player_post"), unless=_nothing_put_right)
def missed_blinds_put_right(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A post for blinds that nobody missed, or too large a one, that went back before anybody acted."""
    hand, session = hand_of(round_), round_.session
    if hand is None:
        return
    owing = {debt.place: debt for debt in debts(hand, session.before.positions, session.stakes, session.terms)}
    for one in hand.withdrawn:
        place = hand.place(one.seat)
        debt = owing.get(place)
        due = 0 if debt is None else debt.dead if one.kind.startswith("dead") else debt.live
        if one.kind in _RETURN_POSTS and one.posted > due:
            yield _bet(
                rule, round_, hand, place, "missed_blind_twice" if debt else "nothing_missed", (one.kind,), _PUT_RIGHT,
                kind="corrected", returned=one.posted - one.left,
            )  # fmt: skip


def _debt(round_: Round[Session], rule: Rule, hand: Hand, debt: Debt) -> Iterator[Finding]:
    live, dead = posted_by(hand, debt.place)
    if debt.spot == "big_blind" and not live:
        return  # a big blind that nobody posts is NL-09's
    owed = max(debt.live - live, 0) + max(debt.dead - dead, 0)
    over = max(live - debt.live, 0) + max(dead - debt.dead, 0)
    if not over and not (owed and (hand.dealt or hand.actions)):
        return  # until cards are dealt what is owed, or the other half of it, can still be posted
    if round_.touched and owed:
        yield rule.unverified("missed_blind", "bet", subject=f"seat/{hand.seats[debt.place]}")
        return
    whose = {"new": "a new player", "moved": "a player who changed seats"}.get(debt.entry.why, "who returns")
    code = "missed_blind_not_posted" if owed and not over else "missed_blind_wrong" if owed else "missed_blind_twice"
    yield _bet(
        rule, round_, hand, debt.place, code, (*_RETURN_POSTS, "big_blind", "small_blind", "extra_blind"),
        f"{whose} posts by his place: {debt.spot.replace('_', ' ')}",
        live=debt.live, dead=debt.dead, owed=owed, returned=over, position=debt.spot,
    )  # fmt: skip
