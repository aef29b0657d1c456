"""The stakes of a spin as they lay at the cut-off, and what voids or cuts them: RL-42 steps 4 and 5."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from events.schema.fact import Fact
from events.values.money import amount_text
from games.house_rules.edition import Edition
from games.roulette.bets import announced_parts, in_another_colour, owners_of, resolved_claims
from games.roulette.cutoff import Cutoff
from games.roulette.events import (
    BetMoved,
    BetRemoved,
    CallBetAnnounced,
    CallBetPlaced,
    ClaimRaised,
)
from games.roulette.layout import Position, canonical, find_position
from games.roulette.rulings import BetRuling
from games.roulette.table import Bet, Change, Limits, Piece, Session, Spin
from games.shared.marks import Mark, known, missing

LATE_CODES = frozenset({"late_bet", "late_call_bet"})


class Stake:
    """Chips of one bet on one position while they are judged; amounts in minor units.

    `live` is what is at risk; `reasons` what took the rest off, first reason first, with its rule. `landed` orders the
    stakes of one position by when they came there.
    """

    __slots__ = (
        "amount", "bet", "fact", "landed", "live", "paid", "place", "position", "reasons", "stands", "taken",
    )  # fmt: skip

    def __init__(self, bet: Bet, position: str, amount: int, landed: int, fact: Fact) -> None:
        self.bet = bet
        self.position = position
        self.place: Position | None = find_position(position)
        self.amount = self.live = amount
        self.landed = landed
        self.fact = fact
        self.reasons: list[tuple[str, str]] = []
        self.taken = self.paid = self.stands = 0

    @property
    def void(self) -> bool:
        """Nothing of it is at risk."""
        return bool(self.reasons)


class Laid:
    """The stakes of a spin with what was noticed about them. `owners`: bet → whose it is; `resolved`: bets of which
    that was decided; `held`: bets in dispute."""

    __slots__ = ("held", "marks", "owners", "resolved", "stakes")

    def __init__(self, owners: dict[str, str], resolved: frozenset[str]) -> None:
        self.stakes: list[Stake] = []
        self.marks: list[Mark] = []
        self.owners = owners
        self.resolved = resolved
        self.held: set[str] = set()


def lay(session: Session, spin: Spin, cut: Cutoff, on_bets: Sequence[BetRuling], number: int | None) -> Laid:
    """Every stake that lay on the layout at the cut-off, each void one with its reasons."""
    laid = Laid(owners_of(session, spin), frozenset(resolved_claims(spin)))
    by_bet = changes_by_bet(spin)
    for bet in spin.layout:
        own = [
            Stake(bet, piece.position, piece.amount, bet.order, bet.fact) for piece in bet.pieces if piece.amount > 0
        ]
        moved: list[tuple[Stake, Change]] = []
        for change in by_bet.get(bet.id, ()):
            own = _change(laid, own, moved, change, cut)
        _reasons(laid, session, bet, own, moved, cut, on_bets, number)
        if bet.call and not bet.standing:
            _differs(laid, session, spin, bet, own)
        laid.stakes.extend(own)
    if spin.claims:
        _claims(laid, spin)
    for ruling in on_bets:
        _reached(laid, spin, ruling)
    _limits(laid, session, spin)
    return laid


def changes_by_bet(spin: Spin) -> dict[str, list[Change]]:
    """Bet → its changes, in table order."""
    by_bet: dict[str, list[Change]] = {}
    for change in spin.changes:
        by_bet.setdefault(change.bet, []).append(change)
    return by_bet


def physical(pieces: Iterable[Piece], changes: Iterable[Change]) -> tuple[Piece, ...]:
    """Where a bet's chips really lay after all changes, lawful or not."""
    lying: dict[str, int] = {}
    for piece in pieces:
        lying[piece.position] = lying.get(piece.position, 0) + piece.amount
    for change in changes:
        event = change.fact.event
        if isinstance(event, BetMoved) and not _knock(event):
            where = _from(event) if _from(event) in lying else _only(lying)
            moved = min(lying.get(where, 0), _limit(event.amount))
            lying[where] = lying.get(where, 0) - moved
            to = canonical(event.to_position)
            lying[to] = lying.get(to, 0) + moved
        elif isinstance(event, BetRemoved):
            where = _from(event) if _from(event) in lying else _only(lying)
            lying[where] = lying.get(where, 0) - min(lying.get(where, 0), event.amount)
    return tuple(Piece(position, amount) for position, amount in lying.items() if amount > 0)


def _from(event: BetMoved | BetRemoved) -> str:
    """Where the chips were taken from, as the layout writes it; empty if the record does not say."""
    where = event.from_position if isinstance(event, BetMoved) else event.position
    return canonical(where) if where is not None else ""


def _only(lying: dict[str, int]) -> str:
    """The position of a bet that lies on one; else nowhere."""
    places = [position for position, amount in lying.items() if amount]
    return places[0] if len(places) == 1 else ""


def _limit(amount: int | None) -> int:
    return 2**63 if amount is None else amount


def _knock(event: BetMoved) -> bool:
    """Knocked by staff and put back: no move (RL-20)."""
    return event.by == "staff" and event.restored


def _change(
    laid: Laid, own: list[Stake], moved: list[tuple[Stake, Change]], change: Change, cut: Cutoff
) -> list[Stake]:
    """Applies a change that came in time; remembers one that came late; a settled bet may be moved freely (RL-33)."""
    event = change.fact.event
    if change.settled or not isinstance(event, BetMoved | BetRemoved):
        return own
    if isinstance(event, BetMoved) and _knock(event):
        return own
    where = _from(event)
    at = [stake for stake in own if stake.position == where]
    if not at and len(own) == 1:
        at = own
    if isinstance(event, BetRemoved) and not at:
        at = own
    answer = cut.of(change.fact)
    if answer == "late":
        moved.extend((stake, change) for stake in at)
        return own
    if answer == "unknown":
        laid.marks.append(missing("RL-20", "late_move", "bet", facts=(change.fact, *cut.facts()), subject=change.bet))
    left = _limit(event.amount)
    for stake in at:
        part = min(stake.amount, left)
        left -= part
        stake.amount -= part
        stake.live -= part
        if isinstance(event, BetMoved) and part:
            own = [*own, Stake(stake.bet, canonical(event.to_position), part, change.order, change.fact)]
    return [stake for stake in own if stake.amount > 0]


def _reasons(
    laid: Laid,
    session: Session,
    bet: Bet,
    own: list[Stake],
    moved: list[tuple[Stake, Change]],
    cut: Cutoff,
    on_bets: Sequence[BetRuling],
    number: int | None,
) -> None:
    """RL-42 step 4: the first that applies is the reason, every one is listed."""
    _owner(laid, session.edition, bet)
    for ruling in on_bets:
        if ruling.reaches(bet.id, laid.owners[bet.id]):
            _void(laid, bet, own, ruling.rule, ruling.code, (ruling.fact,), _told(ruling), basis=_id(ruling))
    if bet.foreign:
        _void(laid, bet, own, "RL-04", "foreign_chip", (bet.fact,), "a colour chip of another table")
    if bet.second and not bet.standing and session.edition["roulette.second_colour_effect"] == "void_refund":
        _void(laid, bet, own, "RL-03", "second_colour", (bet.fact,), "he holds another colour")
    for stake in own:
        if stake.place is None:
            _void(
                laid,
                bet,
                [stake],
                "RL-24",
                "illegal_position",
                (stake.fact,),
                f"{stake.position} is no place to bet on",
            )
    if not bet.standing:
        answer = cut.of(bet.fact, call_bet=bool(bet.call))
        code, rule = ("late_call_bet", "RL-13") if bet.call else ("late_bet", "RL-19")
        if answer == "late":
            facts, late = (bet.fact, *cut.facts()), cut.since(bet.fact)
            _void(laid, bet, own, rule, code, facts, late, forfeit=_forfeits(session.edition))
        elif answer == "unknown":
            laid.marks.append(missing(rule, code, "bet", facts=(bet.fact, *cut.facts()), subject=bet.id))
    restores = session.edition["roulette.late_move_effect"] == "restore_original"
    loses = number is not None and not any(
        stake.place is None or number in stake.place.numbers for stake, _change in moved if not stake.void
    )
    for stake, change in moved:
        _moved(laid, stake, change, cut, loses=loses and not stake.void, restores=restores)


def _differs(laid: Laid, session: Session, spin: Spin, bet: Bet, own: list[Stake]) -> None:
    """RL-12: the parts that lie at the cut-off against what the player asked for; what lies governs."""
    placed = bet.fact.event
    assert isinstance(placed, CallBetPlaced)
    call = _call_for(spin, placed)
    asked = call.event if call is not None else placed
    assert isinstance(asked, CallBetAnnounced | CallBetPlaced)
    wanted = announced_parts(session, asked, bet.unit_value)
    lying: dict[str, int] = {}
    for stake in own:
        lying[stake.position] = lying.get(stake.position, 0) + stake.amount
    if wanted and lying != wanted:
        laid.marks.append(
            Mark(
                rule="RL-12", code="call_bet_differs", kind="breach", scope="bet", subject=bet.id, player=bet.player,
                facts=known(call, bet.fact), remedy={"announced": ", ".join(wanted)}, text=_apart(wanted, lying),
            )
        )  # fmt: skip


def _apart(wanted: dict[str, int], lying: dict[str, int]) -> str:
    """What was asked for and does not lie there, what lies there and was not asked for."""
    asked = [f"{place} {amount_text(amount)}" for place, amount in wanted.items() if lying.get(place) != amount]
    laid = [f"{place} {amount_text(amount)}" for place, amount in lying.items() if wanted.get(place) != amount]
    return f"asked for {', '.join(asked) or 'no more'}; laid {', '.join(laid) or 'nothing there'}"


def _call_for(spin: Spin, placed: CallBetPlaced) -> Fact | None:
    """The announcement of a call bet: the one that names it, else the player's last of that kind, else his last."""
    calls = [
        (fact, fact.event)
        for fact in spin.calls
        if isinstance(fact.event, CallBetAnnounced) and fact.event.player == placed.player
    ]
    for wanted in (
        [fact for fact, event in calls if event.bet == placed.bet],
        [fact for fact, event in calls if event.bet is None and event.kind == placed.kind],
        [fact for fact, event in calls if event.bet is None],
    ):
        if wanted:
            return wanted[-1]
    return None


def _moved(laid: Laid, stake: Stake, change: Change, cut: Cutoff, *, loses: bool, restores: bool) -> None:
    """RL-20; `late_move_avoided_loss` where the bet would have lost as it lay, all of it, and nothing else voids it."""
    facts = (change.fact, *cut.facts())
    if restores:
        mark = Mark(
            rule="RL-20", code="late_move", kind="corrected", scope="bet", subject=stake.bet.id, facts=facts,
            player=stake.bet.player, remedy={"position": stake.position}, text=_change_told(change, cut),
        )  # fmt: skip
        laid.marks.append(mark)
        return
    _void(laid, stake.bet, [stake], "RL-20", "late_move", facts, _change_told(change, cut))
    if loses:
        mark = Mark(
            rule="RL-20", code="late_move_avoided_loss", kind="advisory", scope="bet", subject=stake.bet.id,
            player=stake.bet.player, facts=facts, remedy={"avoided": stake.amount}, text=f"{stake.position} lost",
        )  # fmt: skip
        laid.marks.append(mark)


def _void(
    laid: Laid,
    bet: Bet,
    stakes: Sequence[Stake],
    rule: str,
    code: str,
    facts: tuple[Fact, ...],
    text: str,
    *,
    basis: str = "facts",
    forfeit: bool = False,
) -> None:
    for stake in stakes:
        stake.reasons.append((code, rule))
        stake.live = 0
    amount = sum(stake.amount for stake in stakes)
    mark = Mark(
        rule=rule, code=code, kind="void", scope="bet", subject=bet.id, player=bet.player, facts=facts, basis=basis,
        remedy={"forfeit" if forfeit else "refund": amount}, text=text,
    )  # fmt: skip
    laid.marks.append(mark)


def _change_told(change: Change, cut: Cutoff) -> str:
    event = change.fact.event
    did = "taken up"
    if isinstance(event, BetMoved):
        did = f"moved from {event.from_position} to {event.to_position}"
    return f"{did} {cut.since(change.fact)}"


def _told(ruling: BetRuling) -> str:
    event = ruling.fact.event
    return f"ruled by {getattr(event, 'decided_by', None) or getattr(event, 'role', '')}"


def _forfeits(edition: Edition) -> bool:
    return bool(edition["roulette.void_bet_effect"] == "forfeit")


def _id(ruling: BetRuling) -> str:
    return str(getattr(ruling.fact.event, "ruling", ""))


def _reached(laid: Laid, spin: Spin, ruling: BetRuling) -> None:
    """A ruling that meets no bet of this spin is reported all the same."""
    if not any(mark.code == ruling.code and mark.facts[:1] == (ruling.fact,) for mark in laid.marks):
        laid.marks.append(
            Mark(
                rule=ruling.rule, code=ruling.code, kind="void", scope="player", subject=spin.name,
                facts=(ruling.fact,), basis=_id(ruling), text="none of the bets named lay on this spin",
            )
        )  # fmt: skip


def _owner(laid: Laid, edition: Edition, bet: Bet) -> None:
    """RL-03: a bet in another player's colour is that player's (RL-A34), unless a claim was decided (RL-A26)."""
    if not in_another_colour(bet):
        return
    decided = edition["roulette.colour_owner"] == "registered_holder" or bet.id in laid.resolved
    if not decided:
        laid.held.add(bet.id)
    laid.marks.append(
        Mark(
            rule="RL-03", code="colour_owner_conflict", kind="corrected" if decided else "ruling_required", scope="bet",
            subject=bet.id, player=bet.holder, facts=(bet.fact,),
            remedy={"player": laid.owners[bet.id] if decided else bet.holder},
            text=f"recorded for {bet.player}, {bet.colour} is the colour of {bet.holder}",
        )
    )  # fmt: skip


def _claims(laid: Laid, spin: Spin) -> None:
    """RL-A26, reported under RL-22: no settlement while players dispute whose the bet is.

    A colour shows its owner, so a claim to a bet in the claimant's own registered colour is no dispute.
    """
    raised: dict[str, Fact] = {}
    for fact in spin.claims:
        if isinstance(fact.event, ClaimRaised):
            raised.setdefault(fact.event.bet, fact)
    for bet in spin.layout:
        if bet.id in raised and bet.id not in laid.resolved and (not bet.colour or bet.holder != bet.player):
            laid.held.add(bet.id)
            laid.marks.append(
                Mark(
                    rule="RL-22", code="claim_disputed", kind="ruling_required", scope="bet", subject=bet.id,
                    player=bet.player, facts=(raised[bet.id], bet.fact),
                    remedy={"held": sum(stake.amount for stake in laid.stakes if stake.bet is bet)},
                )
            )  # fmt: skip


def _limits(laid: Laid, session: Session, spin: Spin) -> None:
    """RL-23: per player and position, over all chips there that are not void; the excess is of those placed last."""
    groups: dict[tuple[str, str], list[Stake]] = {}
    for stake in laid.stakes:
        if not stake.void and stake.place is not None:
            groups.setdefault((laid.owners[stake.bet.id], stake.place.text), []).append(stake)
    exempts = session.edition["roulette.standing_bet_limits"] == "exempt"
    unposted: dict[str, Stake] = {}
    for own in groups.values():
        own.sort(key=_landed)
        tested = [stake for stake in own if not (exempts and stake.bet.standing and stake.landed < 0)]
        if not tested:
            continue
        place = tested[-1].place
        assert place is not None
        limits = session.limits if tested[-1].bet.standing else tested[-1].bet.limits
        for code, limit in zip(("under_min", "over_max"), limits.of(place.type), strict=True):
            if limit is None:
                unposted.setdefault(code, tested[-1])
        _limit_group(laid, own, tested, limits, place)
    laid.marks += [missing("RL-23", code, facts=(stake.fact,)) for code, stake in unposted.items()]


def _landed(stake: Stake) -> int:
    return stake.landed


def _limit_group(laid: Laid, own: list[Stake], tested: list[Stake], limits: Limits, place: Position) -> None:
    low, high = limits.of(place.type)
    total = sum(stake.live for stake in own)
    if low is not None and total < low:
        for stake in tested:
            _void(
                laid, stake.bet, [stake], "RL-23", "under_min", (stake.fact,),
                f"{place.text}: {amount_text(total)} on it, the minimum is {amount_text(low)}",
            )  # fmt: skip
        return
    excess = total - high if high is not None else 0
    text = f"{place.text}: {amount_text(total)} on it, the maximum is {amount_text(total - excess)}"
    for stake in reversed(tested):
        if excess <= 0:
            return
        cut = min(stake.live, excess)
        excess -= cut
        stake.live -= cut
        laid.marks.append(
            Mark(
                rule="RL-23", code="over_max", kind="corrected", scope="bet", subject=stake.bet.id,
                player=stake.bet.player, facts=(stake.fact,), remedy={"live": stake.live, "refund": cut},
                text=text,
            )
        )  # fmt: skip
