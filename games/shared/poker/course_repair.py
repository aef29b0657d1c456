"""An irregularity of the board: what it is called, what it calls for, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from games.shared.poker.deck import DealTerms, Irregularity, Need, Step
from games.shared.poker.hand import STREETS
from games.verdict import Kind

QUOTA = {"flop": 3, "turn": 1, "river": 1}
AFTER = {"flop": ("burn2", "turn", "burn3", "river"), "turn": ("burn3", "river"), "river": ()}
"""What is still to come once a street lies open, in order."""
BURN = {"flop": "burn1", "turn": "burn2", "river": "burn3"}

Mode = Literal["premature", "reshuffle", "scramble", "burn_missing", "burn_double", "ruling"]


class Repair(Struct, kw_only=True):
    """An irregularity of the board being put right.

    `seqs`: the cards that are too early or too many, the burn that was left out or is one too many. `aside`: cards to
    be set aside unseen before the shuffle, `got` those that were; `fresh`: cards dealt anew. `acts`: actions made on
    the street while it was not put right. `gone_on`: the deal went on without it. `untold`: what belongs to the repair
    and is not on record. `due`: what was due, where something else was done.
    """

    mode: Mode
    street: str
    step: Step
    seqs: list[int]
    aside: list[int] = []
    got: list[int] = []
    wrong: list[str] = []
    untold: list[str] = []
    returned: set[int] = set()
    fresh: int = 0
    acts: int = 0
    shuffled: bool = False
    moved: bool = False
    too_many: bool = False
    gone_on: bool = False
    done: bool = False
    after: dict[str, int] = {}
    steps: list[Step] = []
    due: Mode | None = None


def acted_on(step: Step, street: str) -> int:
    """Actions on a street by the time of a step; without number once the next street is on."""
    at = STREETS.index(street)
    return step.acts if step.street == at else 99 if step.street > at else 0


def before_its_time(step: Step, street: str) -> bool:
    """Whether somebody has still to act in the round before a street."""
    return step.betting and step.street < STREETS.index(street)


def kinds_of(repair: Repair, last: Step, rules: DealTerms) -> tuple[Kind, ...]:
    """What an irregularity of the board comes to."""
    mode = repair.mode
    undone = not repair.done and (repair.gone_on or last.paid)
    if mode == "ruling":
        return ("ruling_required",)
    if mode in ("burn_missing", "burn_double"):
        missed = not repair.done and (repair.acts >= rules.burn_repair or undone or last.over)
        return ("breach",) if repair.wrong or missed else ("corrected",)
    if mode == "premature":
        if stands(repair, last, rules) or (last.over and not repair.done and not repair.acts):
            return ("breach",)
        if repair.wrong or (not repair.done and (undone or repair.acts)):
            return ("breach", "ruling_required")
        return ("corrected", "ruling_required") if repair.too_many else ("corrected",)
    if repair.done and repair.untold and not repair.wrong:
        return ("unverified",)
    limit = rules.surplus_repair
    if repair.wrong or (limit is not None and not repair.done and repair.acts >= limit):
        return ("breach",)
    if not repair.done and (undone or (limit is None and repair.acts)):
        return ("breach", "ruling_required")
    return ("corrected",)


def stands(repair: Repair, last: Step, rules: DealTerms) -> bool:
    """Whether everybody whose action was due when the card came has folded since, where that lets it stand."""
    if not rules.fold_stands or repair.shuffled or repair.too_many:
        return False
    step = repair.step
    if last.street > step.street:
        actions, left = last.opened if last.street == step.street + 1 else (0, 0)
    elif last.over or not last.betting:
        actions, left = last.actions, last.left
    else:
        return False
    return 0 < actions - step.actions == step.left - left


def remedy_of(repair: Repair, rules: DealTerms) -> dict[str, object]:
    """What the rules require instead: places off the deck."""
    street, seqs, after = repair.street, repair.seqs, repair.after
    mode = repair.due or repair.mode
    if mode == "premature":
        found: dict[str, object] = {"shuffled_in": seqs, f"burn_before_new_{street}": False}
        if street == "flop":
            found |= {"set_aside": repair.aside, "turn": after.get("turn"), "river": after.get("river")}
        elif street == "turn":
            found |= {"burn3": after.get("burn3"), "river_face_down": after.get("river")}
    elif mode == "reshuffle":
        found = {"shuffled_in": seqs, f"burn_before_new_{street}": False}
    elif mode == "scramble":
        next_burn = rules.picked == "next_burn"
        at = seqs[-1] + 1
        names = ("turn", "burn3", "river") if next_burn else ("burn2", "turn", "burn3", "river")
        found = {"scramble": seqs, "picked_is": "burn2" if next_burn else "one more burn"}
        found |= {name: at + step for step, name in enumerate(names)}
    elif mode in ("burn_missing", "burn_double"):
        found = _burn_remedy(repair)
    else:
        found = {"cards": seqs}
    return {**found, "refund": 0}


def _burn_remedy(repair: Repair) -> dict[str, object]:
    """The course as it would have been with one burn card."""
    street = repair.street
    first = repair.seqs[0] + (repair.mode == "burn_missing")
    cards = list(range(first, first + QUOTA[street]))
    found: dict[str, object] = {BURN[street]: first - 1, street: cards if street == "flop" else cards[0]}
    return found | {name: cards[-1] + 1 + at for at, name in enumerate(AFTER[street])}


def text_of(repair: Repair) -> str:
    """What was done wrongly, or else what has to be done."""
    if repair.wrong or repair.untold:
        return "; ".join(dict.fromkeys(repair.wrong or repair.untold))
    return note_of(repair)


def code_of(repair: Repair) -> str:
    """What an irregularity is called."""
    if repair.mode == "premature":
        return f"premature_{repair.street}"
    if repair.mode in ("burn_missing", "burn_double"):
        return repair.mode
    if repair.street != "flop":
        return f"{repair.street}_cards"
    return "four_card_flop" if len(repair.seqs) == 4 else "flop_cards"


def listed(seqs: Iterable[int]) -> str:
    """Places off the deck in words."""
    return ", ".join(map(str, seqs))


def note_of(repair: Repair) -> str:
    """What has to be done, in words."""
    return _NOTES[code_of(repair)].format(street=repair.street, cards=listed(repair.seqs))


def limit_of(repair: Repair, rules: DealTerms) -> int:
    """How many actions on its street end a repair."""
    if repair.mode in ("burn_missing", "burn_double"):
        return rules.burn_repair
    return 1 if repair.mode == "premature" else rules.surplus_repair or 1


_NOTES = {
    "premature_flop": "the flop was early: finish the round, set aside the next four cards unseen, shuffle the flop"
    " ({cards}) in, deal a new one without a burn",
    "premature_turn": "the turn was early: burn a card, deal the river face down, shuffle the turn ({cards}) in; after"
    " the round a new turn without a burn",
    "premature_river": "the river was early: finish the round, shuffle it ({cards}) in, deal a new one without a burn",
    "four_card_flop": "four cards on the flop ({cards}): they are scrambled face down, the floorman or management picks"
    " one as burn card, the others are the flop",
    "flop_cards": "too many cards on the flop: {cards} are shuffled in, a new flop comes without a burn",
    "turn_cards": "more than one card on the turn: {cards}",
    "river_cards": "more than one card on the river: {cards}",
    "burn_missing": "no card was burnt before the {street}: card {cards} becomes the burn, one more is laid",
    "burn_double": "two cards were burnt before the {street}: card {cards} is the first of the {street}",
}


def irregularity_of(repair: Repair, last: Step, rules: DealTerms) -> Irregularity:
    """What was irregular and what became of it, as the hand now stands (`last`)."""
    found = Irregularity(
        code=code_of(repair), place=repair.street, kinds=kinds_of(repair, last, rules), wrong=repair.wrong,
        facts=list(dict.fromkeys(step.fact for step in repair.steps or [repair.step])),
        remedy=remedy_of(repair, rules), text=text_of(repair), absent=repair.mode in ("premature", "burn_missing"),
    )  # fmt: skip
    if "breach" in found.kinds and not repair.done and not repair.wrong:
        found.absent = True
    return found


def need_of(repair: Repair, last: Step, top: int) -> Need | None:
    """The step of a repair that comes next; None if what is due is not of the repair. `top`: the place off the deck of
    the next card, once the street lies there whole; 0 before."""
    street, note = repair.street, note_of(repair)
    if repair.mode == "premature" and before_its_time(last, street):
        return Need(to="", note=note)
    if repair.mode in ("premature", "reshuffle"):
        missing = [seq for seq in repair.aside if seq not in repair.got]
        if repair.mode == "premature" and missing and not repair.shuffled:
            to = "aside" if street == "flop" else "burn" if len(missing) == 2 else "river"
            name = "closed" if to == "river" else to
            return Need(to=to, name=name, seq=missing[0], seqs=tuple(missing), note=note, blocks=True)
        if not repair.shuffled:
            return Need(to="stub", seqs=tuple(repair.seqs), note=note, blocks=True)
        return Need(to=street, name=street, note=note, blocks=True)
    if repair.mode == "burn_missing":
        if not top:
            return None
        return Need(to=street, name="burn_left_out", seq=top, seqs=tuple(repair.seqs), note=note, blocks=True)
    if repair.mode == "ruling":
        return Need(to="", note=f"{note}; a person rules", blocks=True)
    return Need(to=street if repair.mode == "burn_double" else "", seqs=tuple(repair.seqs), note=note, blocks=True)
