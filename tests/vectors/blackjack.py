"""The vectors of blackjack.md: settlements, rounds replayed by draw order, single decisions, limits, the shoe, rulings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from events.schema import common as tb
from events.schema.ours import RulingApplied
from games.blackjack import events as bj
from games.blackjack.expects import expects
from games.blackjack.hands import Waits
from games.shared.bank import events as bg
from tests.vectors.blackjack_judged import (
    OURS,
    ROUND,
    codes,
    deal,
    found,
    judgement_of,
    nets,
    of,
    ranks,
    refunds,
    same,
    standing,
)
from tests.vectors.blackjack_shoe import burn, composition, cut, cutting_card, dealer
from tests.vectors.blackjack_table import Given, Table
from tests.vectors.reading import Vector, unknown_keys

KINDS = frozenset({
    "settle", "replay", "decision", "limits", "cut", "burn", "dealer", "late", "cutting_card", "composition", "ruling",
})  # fmt: skip


def run(vector: Vector, _base: Vector) -> list[str]:
    """What one vector's session gave otherwise than expected."""
    given, expect = vector["given"], vector["expect"]
    known, said, code = _KINDS[given["kind"]]
    problems = unknown_keys("given", given, known | {"kind", "config"}) + unknown_keys("expect", expect, said)
    return problems or list(code(given, expect))


# Settlement -----------------------------------------------------------------------------------------------------------

_HAND = frozenset({
    "p", "stake", "cards", "from_split", "doubled", "original", "surrender", "even_money", "insurance",
})  # fmt: skip


def _settle(given: Given, expect: Vector) -> Iterator[str]:
    """Every hand in a box of its own; one from a split is the left hand of somebody who did not go along with it."""
    table = Table(given.get("config", {}))
    hands: dict[int, Given] = dict(enumerate(given["hands"], 1))
    table.shoe(cutter=_owner(1, hands[1]))
    for box, hand in hands.items():
        yield from unknown_keys(f"hand {box}", hand, _HAND)
        table.own(box, _owner(box, hand))
    table.open(ROUND)
    for box, hand in hands.items():
        if hand.get("from_split"):
            table.stake(box, _owner(box, hand), _original(hand))
        table.stake(box, hand["p"], _original(hand))
    table.call()
    dealer = list(given["dealer"])
    cards = {box: _with_split(hand) for box, hand in hands.items()}

    def draw(place: str) -> str | None:
        if place == "dealer":
            return dealer.pop(0) if dealer else None
        box, _dot, number = place.removeprefix("box/").partition(".")
        own = cards[int(box)]
        if number != "1":
            return "10" if hands[int(box)]["cards"][0] == "A" else "2"
        return own.pop(0) if own else None

    def choose(waits: Waits) -> None:
        _act(table, waits, hands[waits.box], cards[waits.box])

    table.play_out(draw, choose, lambda: _requests(table, hands))
    while dealer:
        table.lay("dealer", dealer.pop(0))
    judgement = judgement_of(table)
    due = judgement.verdicts[-1].due
    results = {(result.box, result.player): result.code for result in table.analysis().results if result.hand == 1}
    yield from same("results", expect.get("results"), [results[box, hand["p"]] for box, hand in hands.items()])
    yield from same("net", expect.get("net"), of(expect.get("net", {}), nets(due.lines)))
    yield from codes(expect, judgement)


def _owner(box: int, hand: Given) -> str:
    return f"owner-{box}" if hand.get("from_split") else str(hand["p"])


def _original(hand: Given) -> int:
    return int(hand["original"] if "original" in hand else hand["stake"] // (2 if hand.get("doubled") else 1))


def _with_split(hand: Given) -> list[str]:
    """The cards in the order dealt to the left hand: before a split its first one twice."""
    cards = list(hand["cards"])
    return [cards[0], *cards] if hand.get("from_split") else cards


def _requests(table: Table, hands: dict[int, Given]) -> None:
    """Even money, insurance and surrender, before anybody acts."""
    for box, hand in hands.items():
        if hand.get("even_money"):
            table.decide(box, 1, "even_money", hand["p"])
        if hand.get("insurance"):
            table.stake(box, hand["p"], hand["insurance"], "insurance")
    for box, hand in hands.items():
        if hand.get("surrender"):
            table.decide(box, 1, "surrender", hand["p"])


def _act(table: Table, waits: Waits, hand: Given, left: list[str]) -> None:
    """What brings the hand's next card; nothing left: stand."""
    if hand.get("from_split") and len(table.play.hands[waits.box]) == 1:
        table.decide(waits.box, 1, "split")
        table.extras(waits.box, 1, "split", [hand["p"]])
    elif waits.hand > 1 or not left:
        table.decide(waits.box, waits.hand, "stand")
    elif hand.get("doubled") and len(left) == 1:
        table.decide(waits.box, waits.hand, "double")
        table.extras(waits.box, waits.hand, "double", [])
    else:
        table.decide(waits.box, waits.hand, "hit")


# Replay ---------------------------------------------------------------------------------------------------------------


def _replay(given: Given, expect: Vector) -> Iterator[str]:
    """Cards as drawn, decisions in order; a card that first went elsewhere, and was put right or not."""
    table = Table(given.get("config", {}))
    table.shoe(cutter=given["boxes"][0]["bets"][0]["p"])
    for box in given["boxes"]:
        table.own(box["box"], box["bets"][0]["p"])
    table.open(ROUND)
    for box in given["boxes"]:
        for bet in box["bets"]:
            table.stake(box["box"], bet["p"], bet["stake"])
    table.call()
    shoe, actions = list(given["shoe"]), list(given.get("actions", ()))
    recorded = {int(place): to for place, to in given.get("recorded_to", {}).items()}
    drawn = 0
    offered = False
    while True:
        if not offered and table.play.dealt:
            offered = True
            table.offer()
        waits = table.waits
        if waits is not None and not waits.place:
            if not actions:
                break
            yield from _action(table, waits, actions.pop(0))
            continue
        if drawn == len(shoe):
            break
        drawn += 1
        _draw(table, given, shoe[drawn - 1], waits.place if waits else "", recorded.get(drawn))
    if actions:
        yield f"{len(actions)} actions were not asked for"
    if drawn < len(shoe):
        yield f"{len(shoe) - drawn} cards were not drawn"
    yield from _replayed(table, expect)


def _draw(table: Table, given: Given, rank: str, due: str, recorded: str | None) -> None:
    """A card to its place; or to another first, and, in time, to its own (nobody's: it waits)."""
    was = recorded if recorded is None or recorded == "dealer" else f"box/{recorded}"
    card = table.lay(was or due or "dealer", rank)
    if was is None or not given.get("corrected_in_time"):
        return
    if given.get("inspector"):
        table.say(bj.CardsReconstructed(given["inspector"]))
    to = due.removesuffix(".1") or "pending"
    table.say(bg.CardReassigned(to, was.removesuffix(".1"), card, table.seq, "up"))


def _action(table: Table, waits: Waits, action: Any) -> Iterator[str]:
    told: Given = action if isinstance(action, dict) else {"a": action}
    yield from unknown_keys("an action", told, frozenset({"a", "declined", "extra", "p", "amount"}))
    choice, who = told["a"], told.get("p")
    if choice == "insurance":
        table.stake(waits.box, who or "P1", told["amount"], "insurance")
        return
    table.decide(waits.box, waits.hand, choice, who)
    if choice in ("double", "split"):
        table.extras(waits.box, waits.hand, choice, told.get("declined", ()))
    for player, amount in told.get("extra", {}).items():
        table.stake(waits.box, player, amount, "double", waits.hand)


def _replayed(table: Table, expect: Vector) -> Iterator[str]:
    judgement = judgement_of(table)
    verdict, play = judgement.verdicts[-1], table.play
    hands = {f"{box}.{at}": ranks(hand.names) for box, at, hand in play.all_hands()}
    yield from same("hands", expect.get("hands"), hands)
    yield from same("dealer", expect.get("dealer"), ranks(play.dealer_names))
    yield from same("pending", expect.get("pending"), ranks(card.card for card in play.left))
    yield from same("net", expect.get("net"), nets(verdict.due.lines))
    yield from same("refund", expect.get("refund"), refunds(verdict.findings))
    yield from same("verdict", expect.get("verdict"), standing(judgement))
    yield from codes(expect, judgement)


# Single decisions -----------------------------------------------------------------------------------------------------


def _decision(given: Given, expect: Vector) -> Iterator[str]:
    """Brings a hand to the state described, asks what is legal, and does it all the same."""
    table = Table(given.get("config", {}))
    table.shoe()
    table.open(ROUND)
    table.stake(1, "P1", given.get("original", 10000))
    table.call()
    cards, splits, action = list(given["cards"]), given.get("hands_on_box", 1) - 1, given["action"]
    split = bool(given.get("from_split")) or splits > 0
    queue = [cards[0]] * (1 + max(splits, 1)) + cards[1:] if split else list(cards)
    target = max(splits, 1) + 1 if split else 1
    while not (len(table.play.hands[1]) == target and ranks(table.play.hands[1][0].names) == cards):
        waits = table.waits
        if waits is not None and waits.place == "dealer" and not table.play.dealer:
            table.lay("dealer", given["upcard"])
        elif waits is not None and waits.place:
            table.lay(waits.place, queue.pop(0))
        elif len(table.play.hands[1]) < target:
            table.decide(1, 1, "split")
            table.extras(1, 1, "split", [])
        else:
            table.decide(1, 1, "hit")
    table.offer()
    before = _now(table)
    names = {one.name.partition(" box ")[0] for one in expects(table.session).actions}
    yield from same("legal", expect.get("legal"), action in names)
    _do(table, given)
    table.close()
    judgement = judgement_of(table)
    found = {finding.code for finding in judgement.verdicts[-1].findings if finding.kind != "mispaid"} - before - OURS
    wanted = {expect["finding"]} if "finding" in expect else set(expect.get("findings", ()))
    yield from same("findings", wanted, found)
    lines = [line for line in judgement.verdicts[-1].due.lines if "insurance" in line.what]
    if "live" in expect:
        yield from same("live", expect["live"], sum(part.live for part in table.play.insurance))
    if "refund" in expect:
        refund = sum(finding.remedy.get("refund", 0) for finding in judgement.verdicts[-1].findings)
        yield from same("refund", expect["refund"], refund)
    if action == "insurance" and not lines:
        yield "the insurance has no line"


def _do(table: Table, given: Given) -> None:
    """The action as it was played, and the round to its end."""
    action, original = str(given["action"]), int(given.get("original", 10000))
    amount: int = given.get("amount", original)
    if action == "insurance":
        table.stake(1, "P1", amount, "insurance")
    else:
        table.decide(1, 1, action, "P1")
        if action in ("double", "split"):
            table.stake(1, "P1", amount, action)
        if action in ("hit", "double"):
            table.lay("box/1", "2")
    while (waits := table.waits) is not None:
        if waits.place:
            table.lay(waits.place, "10" if waits.place == "dealer" else "2")
        else:
            table.decide(waits.box, waits.hand, "stand")


def _now(table: Table) -> set[str]:
    return {mark.code for mark in table.analysis().marks}


# Bets -----------------------------------------------------------------------------------------------------------------


def _limits(given: Given, expect: Vector) -> Iterator[str]:
    table = Table(given.get("config", {}), low=given["table_min"], high=given["box_max"], boxes=given.get("boxes", 7))
    bets = given["bets"]
    table.shoe(cutter=bets[0]["p"])
    table.open(ROUND)
    for bet in bets:
        yield from unknown_keys("a bet", bet, frozenset({"p", "stake", "box", "chip_kind", "in_box", "chip_stack"}))
        table.own(bet.get("box", 1), bet["p"])
        table.stake(
            bet.get("box", 1), bet["p"], bet["stake"], chip_kind=bet.get("chip_kind", "value"),
            in_box=bet.get("in_box", True), chips=tuple(bet.get("chip_stack", ())),
        )  # fmt: skip
    table.call()
    judgement = judgement_of(table)
    live: dict[str, int] = {bet["p"]: 0 for bet in bets}
    own = table.analysis().bets
    for part in own.parts if own is not None else ():
        live[part.stake.player] += part.live if part.open else 0
    yield from same("live", expect.get("live"), live)
    yield from codes(expect, judgement)


def _late(given: Given, expect: Vector) -> Iterator[str]:
    """Bets of one player, on a box each, that wins, loses or ties as the vector says."""
    table = Table(given.get("config", {}))
    table.shoe()
    table.open(ROUND)
    events: list[Given] = sorted(given["events"], key=lambda event: event["at"])
    boxes: dict[str, int] = {}
    said: list[tuple[float, Given | None]] = [(event["at"], event) for event in events]
    said.append((given["closed_at"], None))
    for at, event in sorted(said, key=lambda one: (one[0], one[1] is None)):
        if event is None:
            table.say(tb.NoMoreBets(), at_s=at)
        elif event["type"] == "placed":
            boxes[event["id"]] = len(boxes) + 1
            table.stake(boxes[event["id"]], "P1", event["stake"], name=event["id"], at_s=at)
        else:
            stake = next(own["stake"] for own in events if own["id"] == event["id"] and own["type"] == "placed")
            table.say(bg.StakeTakenUp(event["id"], "P1", event.get("amount", stake)), at_s=at)
    table.say(tb.ClockCompared("/vectors/BJ1/shoe", 0, 0), 100)
    hand = {"win": ["10", "10"], "lose": ["10", "8"], "push": ["10", "9"]}[given.get("result", "win")]
    deal(table, lambda _box: list(hand))
    judgement = judgement_of(table)
    yield from same("net", expect.get("net"), {line.stake: line.net for line in judgement.verdicts[-1].due.lines})
    yield from codes(expect, judgement)


# Rulings --------------------------------------------------------------------------------------------------------------


def _ruling(given: Given, expect: Vector) -> Iterator[str]:
    """Rounds with the nets given, as settled; bets that are not yet; then the ruling on all of them."""
    table = Table(given.get("config", {}))
    settled: list[dict[str, int]] = given.get("rounds") or given.get("settled") or []
    unsettled: dict[str, int] = given.get("unsettled_bets", {})
    players = list(dict.fromkeys([player for nets in settled for player in nets] + list(unsettled)))
    box = {player: number for number, player in enumerate(players, 1)}
    for player in players:
        table.own(box[player], player)
    table.shoe()
    names = []
    for number, won in enumerate(settled, 1):
        names.append(str(number))
        _settled_round(table, str(number), {box[player]: (player, net) for player, net in won.items()})
    if unsettled:
        names.append("open")
        table.open("open")
        for player, stake in unsettled.items():
            table.stake(box[player], player, stake)
        table.call()
    ruling = given["ruling"]
    table.rulings.append(
        RulingApplied(
            ruling="r1", ground=ruling["ground"], scope="shoe" if ruling["ground"] == "shuffle_breach" else "player",
            standard=ruling.get("standard"), decided_by="m-1", role=ruling.get("role"), rounds=tuple(names),
            players=(ruling["player"],) if "player" in ruling else (), evidence=tuple(ruling.get("evidence_refs", ())),
        )
    )  # fmt: skip
    judgement = judgement_of(table)
    done = judgement.verdicts[: len(settled)]
    wins = {player: sum(nets(verdict.due.lines).get(player, 0) for verdict in done) for player in players}
    owed = {player: sum(verdict.player_differences.get(player, 0) for verdict in done) for player in players}
    yield from same("verdict", expect.get("verdict"), standing(judgement))
    yield from same("expected_net", expect.get("expected_net"), wins)
    yield from same("corrections", expect.get("corrections"), owed)
    yield from same("kept_net", expect.get("kept_net"), {player: wins[player] for player in expect.get("kept_net", ())})
    yield from same("refund", expect.get("refund"), refunds(judgement.verdicts[-1].findings))
    if "still_live" in expect:
        live = [line.player for line in judgement.verdicts[-1].due.lines if line.held]
        yield from same("still_live", expect["still_live"], live)
    yield from same("finding", {expect["finding"]} if "finding" in expect else set(), found(judgement) - _RULED)


_RULED = {"ruling_shuffle_breach", "ruling_card_counting"}
"""Findings that a good ruling leaves: the catalogue tells it by the verdict."""


def _settled_round(table: Table, name: str, nets: dict[int, tuple[str, int]]) -> None:
    """A round with these nets, paid as due: 20, 18 and 19 against the dealer's 19."""
    hands = {"lose": ["10", "8"], "win": ["10", "10"], "push": ["10", "9"]}
    table.open(name)
    stakes: dict[str, tuple[str, int]] = {}
    for box, (player, net) in nets.items():
        stakes[table.stake(box, player, abs(net) or 10000)] = (player, net)
    table.call()
    kinds = {box: "win" if net > 0 else "lose" if net < 0 else "push" for box, (_player, net) in nets.items()}
    deal(table, lambda place: list(hands[kinds[int(place.removeprefix("box/").partition(".")[0])]]))
    for stake, (player, net) in stakes.items():
        if net > 0:
            table.say(tb.ChipsMoved("float", f"player/{player}", net, "win", stake))
        elif net < 0:
            table.say(tb.ChipsMoved(f"box/{stake}", "float", -net, "take", stake))
        if net >= 0:
            table.say(tb.ChipsMoved(f"box/{stake}", f"player/{player}", net or 10000, "return", stake))
    table.close()


# Kinds ----------------------------------------------------------------------------------------------------------------

_REPLAYED = frozenset({"hands", "dealer", "net", "pending", "findings", "finding", "refund", "verdict"})
_KINDS: dict[str, tuple[frozenset[str], frozenset[str], Any]] = {
    "settle": (frozenset({"dealer", "hands"}), frozenset({"results", "net", "findings", "finding"}), _settle),
    "replay": (
        frozenset({"boxes", "shoe", "actions", "recorded_to", "corrected_in_time", "inspector"}), _REPLAYED, _replay,
    ),
    "decision": (
        frozenset({"cards", "from_split", "upcard", "action", "hands_on_box", "amount", "original"}),
        frozenset({"legal", "finding", "findings", "live", "refund"}), _decision,
    ),
    "limits": (
        frozenset({"table_min", "box_max", "bets", "boxes"}), frozenset({"live", "findings", "finding"}), _limits,
    ),
    "cut": (frozenset({"cards_in_front"}), frozenset({"ok"}), cut),
    "burn": (frozenset({"events"}), frozenset({"breach", "money"}), burn),
    "dealer": (frozenset({"hands"}), frozenset({"action"}), dealer),
    "late": (frozenset({"closed_at", "events", "result"}), frozenset({"net", "findings", "finding"}), _late),
    "cutting_card": (
        frozenset({"seen_round", "recipient", "owners", "rounds_dealt"}),
        frozenset({"last_round", "next_cutter", "finding", "findings"}), cutting_card,
    ),
    "composition": (frozenset({"drawn"}), frozenset({"finding", "findings", "verdict"}), composition),
    "ruling": (
        frozenset({"ruling", "rounds", "settled", "unsettled_bets"}),
        frozenset({"verdict", "finding", "expected_net", "corrections", "refund", "kept_net", "still_live"}), _ruling,
    ),
}  # fmt: skip
