"""Checks of actions: turn, amounts, words and chips (NL-11, NL-12, NL-22 … NL-26, NL-34, NL-36).

The fold notes what is out of order (`Hand.irregular`); here it gets its rule and its weight. Amounts, words and
chips are read by the rules whatever followed: what they count for is `corrected`, and what the table did not give back
or collect by the end is `mispaid`. A turn not waited for is `corrected` while nobody has acted since; once play went on
it is a `breach`. So is a wrong amount that a site tells of: there it counts as it was taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from events.schema.common import ChipsMoved
from events.schema.fact import Fact
from events.values.clock import span_text
from events.values.money import money_text
from games.holdem.book import BOOK
from games.holdem.deal_rules import course_in
from games.holdem.wrongs import wrongs
from games.house_rules.rulebook import Rule
from games.protocol import Round
from games.shared.poker.events import ActionTaken, BoardDealt, CardDealt, GestureMade, HandKilled, WordsSpoken
from games.shared.poker.hand import STREETS, Hand
from games.shared.poker.irregular import CUT_DOWN, Irregular, Why
from games.shared.poker.table import Session
from games.verdict import Finding, Kind, Scope

CODE_RULES: dict[str, str] = {
    "below_minimum": "NL-22",
    "under_bet": "NL-22",
    "short_call": "NL-22",
    "above_maximum": "NL-22",
    "not_exactly_double": "NL-22",
    "raise_cap": "NL-22",
    "check_facing_bet": "NL-22",
    "record_disagrees": "NL-22",
    "half_raise": "NL-23",
    "below_half": "NL-23",
    "string_bet": "NL-23",
    "more_than_stack": "NL-24",
    "not_reopened": "NL-25",
    "word_late": "NL-26",
    "word_and_chip": "NL-26",
    "chips_not_counted": "NL-26",
    "one_chip_raise_undone": "NL-26",
    "raise_undone": "NL-22",
    "other_language": "NL-34",
    "exposed": "NL-36",
    "expelled_acts": "NL-43",
}
"""The rule behind each reason for which an action counts otherwise than it was made. What concerns the turn is NL-11
before the flop and NL-12 after it."""

PARAMETERS: dict[str, tuple[str, ...]] = {
    "NL-11": ("out_of_turn", "action_clock_s"),
    "NL-12": ("out_of_turn", "action_clock_s"),
    "NL-14": (),
    "NL-22": ("min_raise_rule", "under_bet", "raise_size", "short_open", "words", "table_max_bet"),
    "NL-23": ("fifty_pct_base", "min_raise_rule", "string_bet"),
    "NL-24": (),
    "NL-25": ("short_all_in_accumulates",),
    "NL-26": ("one_chip_raise", "one_chip_post_flop", "words"),
    "NL-34": ("other_language_effect",),
    "NL-36": ("exposed_ban_scope", "exposed_ban_cards"),
    "NL-43": ("expelled_hand",),
}

TEXTS: dict[str, str] = {
    "check_facing_bet": "a check facing a bet is no action, all options stay",
    "word_late": "the chip lay on the table before the word",
    "string_bet": "the first motion counts; what was added goes back",
    "record_disagrees": "the record says two things of what was put in",
    "chips_not_counted": "nobody counted the chips: one chip would not be a raise",
    "already_out": "his hand is out",
    "expelled_acts": "he was expelled: his hand stays live for what he has put in, and he acts no more",
    "forfeit": "he may only call or fold",
}


UNDONE = frozenset({"one_chip_raise_undone", "raise_undone"})
"""A raise that the table gave back and played on without: nobody can say what the others would have done, so that a
person does; the money is as it was played."""

NOT_TOLD = frozenset({"chips_not_counted", "record_disagrees"})
"""What the record leaves open: unverified, never a breach (cash-holdem.md 1.1)."""


def rule_of(one: Irregular) -> str:
    """The rule that an irregular action breaks, or by which it was read."""
    return CODE_RULES.get(one.code) or ("NL-12" if one.street else "NL-11")


def _hand(round_: Round[Session]) -> Hand | None:
    hand = round_.session.hand
    return hand if hand is not None and hand.name == round_.name else None


def all_regular(round_: Round[Session]) -> bool:
    """Nothing was out of order, and nothing pushed waits to be given back or collected."""
    hand = round_.session.hand
    return hand is None or not (hand.irregular or any(hand.apart)) or hand.name != round_.name


def _of_the_deal(round_: Round[Session], hand: Hand, one: Irregular) -> bool:
    """Whether an action looks out of place only by what was wrong with the cards: a hand was dead by its number, which
    nobody at the table knew, a street lacked a card, or a person has to say which board holds. The rule of that says
    all."""
    if one.code not in ("already_out", "nothing_to_act"):
        return False
    if any(found.code == "street_short" or "ruling_required" in found.kinds for found in course_in(round_).found):
        return True
    taken = {getattr(fact.event, "seat", 0) for fact in round_.facts if isinstance(fact.event, HandKilled)}
    taken |= {hand.seats[place] for place, who in enumerate(hand.players) if who in round_.session.conduct.expelled}
    return any(gone == "killed" and hand.seats[place] not in taken for place, gone in enumerate(hand.gone))


def kind_of(hand: Hand, one: Irregular) -> Kind:
    """`corrected` while nobody has acted since, or where it was put right; `breach` once play went on."""
    if one.code == "clock_expired" and one.action == "fold":
        return "dead"
    if one.code in UNDONE:
        return "ruling_required"
    if one.code in ("already_out", "nothing_to_act", "expelled_acts"):
        return "breach"
    if one.outcome:
        # What was done out of turn and counts by the rule was dealt with as the rule says (NL-A13).
        return "breach" if one.outcome == "stands" and not one.why else "corrected"
    return "corrected" if hand.actions == one.acts and not any(hand.won) else "breach"


def _remedy(one: Irregular) -> dict[str, int | str]:
    if one.code in ("out_of_turn", "nothing_to_act", "already_out"):
        remedy: dict[str, int | str] = {"actor": f"seat/{one.actor}"} if one.actor else {}
        return remedy | ({"returned": one.returned} if one.returned else {})
    if one.action == "none":
        return {"action": "none"} | ({"returned": one.returned} if one.returned else {})
    if one.whole or one.code in ("clock_expired", "announced_wrong"):
        return {"action": one.action, "total": one.total}
    return {"action": one.action, "total": one.total, "add": one.add, "returned": one.returned}


_SCOPES: dict[str, Scope] = {"clock_expired": "hand", **dict.fromkeys(UNDONE, "round")}

_WORTH: dict[str, str] = {
    "stands": "it stands",
    "returned": "it counts for nothing",
    "call": "it counts as a call",
    "forfeit": "it stays; only a call or a fold is left",
    "": "it waits for its turn",
}
_WHY: dict[Why, str] = {
    "unchanged": "nobody changed the bet before his turn",
    "doubled": "it was more than double the bet",
    "fold": "a fold binds whenever it comes",
    "no_action": "a check facing a bet is no action",
    "no_turn": "his turn never came",
    "taken_back": "the chips went back before his turn",
}


def _text(one: Irregular, hand: Hand, currency: str) -> str:
    if one.code in ("out_of_turn", "nothing_to_act"):
        actor = f"seat/{one.actor}" if one.actor else "nobody"
        worth = f"; {_worth(one, currency)}" if one.code == "out_of_turn" else ""
        return f"{STREETS[one.street]}: it was the turn of {actor}{worth}"
    if one.code == "word_late" and hand.chip is not None and hand.one_chip == one.acts:
        late = one.fact.occurred_at - hand.chip.occurred_at
        return f"the word came {span_text(late)} after the chip" if late > 0 else TEXTS[one.code]
    if one.code in UNDONE:
        return f"a {one.action} to {money_text(one.total, currency)} was given back, and nobody answered it"
    if one.code == "half_raise":
        total = money_text(one.total, currency)
        return f"at least half of a minimum raise went in with the motion that counts: it must be exactly {total}"
    if one.code in TEXTS:
        return TEXTS[one.code]
    if one.code == "announced_wrong":
        return "the dealer named another amount"
    return "" if one.whole else f"counts as {'no action' if one.action == 'none' else one.action}"


def _worth(one: Irregular, currency: str) -> str:
    """What an action out of turn is worth, and why."""
    why = _WHY.get(one.why, "")
    if one.why == "changed":
        bet = money_text(one.bet, currency)
        why = f"by his turn seat/{one.by} had made it {bet}" if one.by else f"by his turn the bet was {bet}"
    return _WORTH[one.outcome] + (f": {why}" if why else "")


def _player(hand: Hand, seat: int) -> str:
    place = hand.place(seat)
    return hand.players[place] if place >= 0 else ""


def _actions_of(rule_id: str) -> Callable[[Round[Session], Rule], Iterator[Finding]]:
    def check(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
        hand, currency = _hand(round_), round_.session.currency
        for one in hand.irregular if hand is not None else ():
            if hand is None or rule_of(one) != rule_id or _of_the_deal(round_, hand, one):
                continue
            if one.code in ("nothing_to_act", "short_call") and _cause(round_, hand, one) is not one:
                continue  # he answered chips as they lay there: not his mistake
            seat = f"seat/{one.seat}"
            facts = (one.fact,) if one.word in (None, one.fact) else (one.word, one.fact)
            if one.word is not None and hand.chip is not None and one.code in ("word_late", "word_and_chip"):
                chip = one.fact if one.code == "word_and_chip" else hand.chip
                if round_.clocks.compare(one.word, chip) == "unknown":
                    # Two clocks: table order had to take one first, and nobody can tell (NL-26).
                    yield rule.unverified(
                        "word_or_chip_first", "bet", facts=(one.word, chip), subject=seat,
                        player=_player(hand, one.seat),
                        text="two sources saw word and chip, too close to tell which came first",
                    )  # fmt: skip
                    continue
            if one.code == "word_and_chip":
                continue
            if round_.touched or one.code in NOT_TOLD:
                # An action that is missing would explain it: a turn, a bet to match.
                yield rule.unverified(
                    one.code, "bet", facts=facts, subject=seat, player=_player(hand, one.seat),
                    text=_text(one, hand, currency),
                )  # fmt: skip
                continue
            kind, text = kind_of(hand, one), _text(one, hand, currency)
            if kind == "corrected" and hand.closed and not wrongs(round_) and _acted_upon(round_, hand, one):
                # No chips are apart by it, and yet it was not put right: somebody folded to it, or it won the pot.
                kind, text = "breach", "; ".join(filter(None, (text, "play went on before it was given back")))
            yield rule.finding(
                one.code, kind, _SCOPES.get(one.code, "bet"), subject=seat,
                player=_player(hand, one.seat), facts=facts, remedy=_remedy(one), text=text,
            )  # fmt: skip
            for fold in _folds_to(round_, hand, one) if one.code in CUT_DOWN else ():
                who = getattr(fold.event, "seat", 0)
                yield rule.finding(
                    "fold_to_void_raise", "advisory", "hand", subject=f"seat/{who}", player=_player(hand, who),
                    facts=(one.fact, fold), text=f"he folded while chips of seat/{one.seat} lay there that go back: "
                    "his fold binds and the pot stays; no rule gives it back",
                )  # fmt: skip
            if one.other:
                # The increment rule would have let it stand: other money, so both are shown (NL-A6).
                yield rule.finding(
                    "other_reading", "advisory", "bet", subject=seat, player=_player(hand, one.seat),
                    facts=(one.fact,), remedy={"last_increment": one.other},
                    text="the smallest raise where the last increment is the minimum",
                )  # fmt: skip
        if hand is not None and hand.closed:
            yield from _unsettled(round_, hand, rule)

    return check


def _unsettled(round_: Round[Session], hand: Hand, rule: Rule) -> Iterator[Finding]:
    """The hand is over, and chips beyond an action were not given back, or chips owed not put in: under the rule by
    which each was read. What that changed for others goes under the first of them."""
    found = [wrong for wrong in wrongs(round_) if not wrong.rule]
    apart = [seat for seat, chips in zip(hand.seats, hand.apart, strict=True) if chips] if found else []
    for wrong in found:
        seat = int(wrong.stake[5:]) if wrong.stake[5:].isdigit() else 0
        own = wrong.code in ("change_kept", "owed_not_put_in")
        why, cause = _why(round_, hand, seat if own else apart[0]) if own or apart else ("", None)
        if why == rule.id:
            last = [one for one in hand.irregular if one.seat == seat][-1:]
            facts = [one.fact for one in ([] if cause is None or cause in last else [cause]) + last]
            yield rule.finding(
                wrong.code, "mispaid", "hand" if wrong.stake else "round", subject=wrong.stake, player=wrong.player,
                money=wrong.money, facts=facts, remedy=dict(wrong.remedy),
            )  # fmt: skip


def _why(round_: Round[Session], hand: Hand, seat: int) -> tuple[str, Irregular | None]:
    """The rule by which chips of a seat are too many or too few, and the action that caused it: its last irregular
    one, or that of another to which it only answered; a word binds and one chip gives change without any."""
    own = [one for one in hand.irregular if one.seat == seat]
    if own:
        cause = _cause(round_, hand, own[-1])
        return rule_of(cause), cause
    if hand.misdeals:
        return "NL-14", None  # bets of the deal that was called off go back with its cards
    chips = hand.apart[hand.place(seat)]
    for one in hand.irregular:
        if chips > 0 and one.returned == chips and one.outcome != "stands" and _left_in(hand, one):
            return rule_of(one), one  # a call of what lay there
    return "NL-26" if chips > 0 else "NL-22", None


def _cause(round_: Round[Session], hand: Hand, echo: Irregular) -> Irregular:
    """The first wrong action of the same street that still lay there and to which this one is the answer: he matched
    it, or acted at all only because of it. The action itself if there is none."""
    for one in hand.irregular:
        if one is echo:
            break
        if one.seat == echo.seat or one.street != echo.street or one.code == "nothing_to_act":
            continue
        if one.whole or one.outcome == "stands":
            continue
        matched = echo.code == "nothing_to_act" or _lay(one) == _lay(echo)
        lies = one.returned > 0 and not _given_back(round_, one, echo.fact)
        owed = max(-hand.apart[hand.place(one.seat)], 0) if one.add else 0
        if (matched and (lies or owed)) or (owed and one.total - owed == _lay(echo)):
            return one
    return echo


def _lay(one: Irregular) -> int:
    """What he had in front of him as the table saw it; minor units."""
    return one.total + one.returned - one.add


def _acted_upon(round_: Round[Session], hand: Hand, one: Irregular) -> bool:
    """Whether chips that go back of an action never went, or only after somebody had answered them."""
    if not one.returned:
        return False
    answers = [echo for echo in hand.irregular if echo.code == "nothing_to_act"]
    return _left_in(hand, one) or any(_cause(round_, hand, echo) is one for echo in answers)


def _given_back(round_: Round[Session], one: Irregular, until: Fact) -> bool:
    """Whether he got back all that goes back of his action before a later record; change out of it is but a part."""
    since, back = False, 0
    for fact in round_.facts:
        if fact is until:
            break
        event = fact.event
        if since and isinstance(event, ChipsMoved) and event.to == f"seat/{one.seat}":
            back += event.amount
        since = since or fact is one.fact
    return back >= one.returned


def _folds_to(round_: Round[Session], hand: Hand, one: Irregular) -> Iterator[Fact]:
    """The folds of others while chips still lay there that go back of a raise which does not count as one."""
    since, back = False, 0
    for fact in round_.facts if one.returned else ():
        event = fact.event
        if since:
            if isinstance(event, BoardDealt | CardDealt) or back >= one.returned:
                return
            if isinstance(event, ChipsMoved) and event.to == f"seat/{one.seat}":
                back += event.amount
            place = hand.place(getattr(event, "seat", 0))
            if _is_fold(event) and place >= 0 and hand.seats[place] != one.seat and hand.gone[place] == "folded":
                yield fact
        since = since or fact is one.fact


def _is_fold(event: object) -> bool:
    if isinstance(event, ActionTaken):
        return event.action == "fold"
    if isinstance(event, WordsSpoken):
        return event.word == "fold"
    return isinstance(event, GestureMade) and event.gesture == "cards_forward"


def _left_in(hand: Hand, one: Irregular) -> bool:
    """Whether what goes back of an action was not given back."""
    return one.returned > 0 and hand.apart[hand.place(one.seat)] > 0


for _rule, _names in PARAMETERS.items():
    BOOK.check(_rule, parameters=_names, unless=all_regular)(_actions_of(_rule))
