"""The words of roulette's vectors: each thing by one name, however a vector calls it, and what it must say.

A word that is not known, or one that is missing, is a problem of the vector: nothing is passed over.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.vectors.reading import unknown_keys

Given = dict[str, Any]


class Form(NamedTuple):
    """What one thing may say (`known`), what it must (`needs`; `a|b`: one of them), and its words by other names."""

    known: frozenset[str]
    needs: tuple[str, ...] = ()
    also: dict[str, str] = {}


ALSO = {
    "p": "player", "position": "pos", "chip_table_id": "chip_table", "table_id": "table", "bet_id": "bet",
    "winning_positions": "winning", "chips_placed": "chips",
}  # fmt: skip
"""Short names and long ones, whatever they are said of."""

FORMS = {
    "bets": Form(
        frozenset({
            "id", "player", "type", "pos", "stake", "unit", "amount", "at", "announced_at", "components", "chip_table",
            "chip_kind", "colour", "chips", "unit_value", "placed_by", "by", "origin", "reach", "refused", "announced",
            "table", "placed",
        }),
        ("id", "player", "type", "stake|unit|amount|components"),
        {"bet_id": "id", "bet": "id", "kind": "type"},
    ),
    "moves": Form(frozenset({"bet", "kind", "from", "to", "at", "by", "restored", "amount", "player"}), ("bet",)),
    "rulings": Form(
        frozenset({
            "ruling_id", "ground", "standard", "scope", "role", "players", "bets", "spin_ids", "decided_by", "remedy",
            "basis", "evidence_refs", "at", "void",
        }),
        (),
        {"ruling": "ruling_id", "bet_ids": "bets", "bet": "bets", "player": "players", "p": "players"},
    ),
    "claims": Form(
        frozenset({"bet", "players", "at", "player", "decided_by", "resolved", "resolved_at"}),
        ("bet", "players|player|resolved"),
    ),
    "resolved": Form(frozenset({"player", "decided_by", "at"}), ("player",)),
    "advice": Form(frozenset({"player", "staff", "suspected_by", "at", "spin_ids"}), ("player",)),
    "call_settled": Form(frozenset({"bet", "winning", "chips", "paid", "taken", "at"}), ("bet", "winning")),
    "colours": Form(frozenset({"player", "colour", "unit_value", "count", "at", "table"}), ("player", "colour"),
                    {"chip_table": "table", "chip_table_id": "table"}),
    "seats": Form(frozenset({"seat", "person", "is_player", "at"}), ("person",), {"player": "person", "p": "person"}),
    "components": Form(frozenset({"type", "pos", "chips"}), ("type",), {"kind": "type"}),
    "winning": Form(frozenset({"type", "pos", "chips"}), ("pos",), {"kind": "type"}),
    "misspin": Form(frozenset({"by", "reason", "at"}), (), {"role": "by", "ground": "reason"}),
    "incident": Form(frozenset({"kind", "at"}), ("kind",)),
    "announced": Form(frozenset({"kind", "number", "reach", "unit", "amount"}), (), {"type": "kind"}),
}  # fmt: skip

SPIN = frozenset({
    "prev_wheel_dir", "wheel_dir", "ball_dir", "revs", "nmb_at", "drop_at", "settled_at", "win", "announced", "misspin",
    "incident", "opening_call", "table_min", "table_max", "limits",
})  # fmt: skip
ROUND = frozenset({
    "spin", "bets", "moves", "rulings", "recorded", "claims", "advice", "misspin", "incident", "opening_call",
    "call_settled", "colours", "seats",
})  # fmt: skip
SESSION = frozenset({
    "kind", "config", "table", "table_min", "table_max", "limits", "wheel_order", "seats", "colours", "rulings",
})  # fmt: skip

SYNONYMS = {
    "claims_raised": "claims", "claim_raised": "claims", "staff_advice": "advice", "ball_incident": "incident",
    "misspin_declared": "misspin", "colour_chips": "colours", "call_bet_settled": "call_settled", "claim": "claims",
    "claims_resolved": "claims", "claim_resolved": "claims", "colour_chips_issued": "colours", "holdings": "colours",
    "colour_register": "colours", "incidents": "incident", "table_id": "table",
}  # fmt: skip
"""What the catalogue calls the event, where a vector names it by that."""


CHOICES: dict[str, tuple[Any, ...]] = {
    "bets.chip_kind": ("value", "colour", None),
    "moves.kind": ("moved", "removed"),
    "rulings.scope": ("spin", "session", "bet", "player", None),
    "spin.wheel_dir": ("cw", "ccw", None),
    "spin.ball_dir": ("cw", "ccw", None),
    "spin.prev_wheel_dir": ("cw", "ccw", None),
}
"""Words of which only some mean anything."""


def _unmeant(name: str, own: Given) -> list[str]:
    return [
        f"`{word}` in `{name}` is {own[word]!r}, not one of {', '.join(map(repr, CHOICES[f'{name}.{word}']))}"
        for word in own
        if own[word] not in CHOICES.get(f"{name}.{word}", (own[word],))
    ]


def in_our_words(given: Given) -> tuple[Given, list[str]]:
    """A vector's `given`, or one spin of it, each thing by one name, in lists; and what is wrong with it.

    `spin` and every one of `spins` likewise.
    """
    said: Given = {}
    problems: list[str] = []
    for word, value in given.items():
        name = SYNONYMS.get(word, word)
        if name == "spin":
            own, wrong = in_our_words(value) if isinstance(value, dict) else ({}, ["`spin` is not an object"])
            said[name], problems = own, problems + wrong
        elif name == "spins":
            spins = [in_our_words(spin) for spin in value]
            said[name] = [own for own, _wrong in spins]
            problems += [problem for _own, wrong in spins for problem in wrong]
        elif name in ("misspin", "incident"):
            said[name] = None if value in (None, False) else _one(name, _told(name, value), problems)
        elif name in FORMS and not (name == "announced" or value is None):
            said[name] = [*said.get(name, ()), *_each(name, value, problems)]
        else:
            said[name] = value
    return said, problems


def _each(name: str, value: Any, problems: list[str]) -> list[Given]:
    """A list of things; a single one stands for a list of one, and colours may be a register: colour → player."""
    if isinstance(value, dict):
        if name == "colours" and "colour" not in value:
            value = [{"colour": colour, "player": player} for colour, player in value.items()]
        else:
            value = [value]
    return [_one(name, one, problems) for one in value]


def _one(name: str, said: Any, problems: list[str]) -> Given:
    form = FORMS[name]
    if not isinstance(said, dict):
        problems.append(f"`{name}` holds {said!r}, which is not an object")
        return {}
    own: Given = {}
    for word, value in said.items():
        key = form.also.get(word) or (word if word in form.known else ALSO.get(word, word))
        if key in own:
            problems.append(f"`{key}` twice in `{name}`, the second time as `{word}`")
        own[key] = value
    if name == "bets" and "stake" not in own and {"chips", "unit_value"} <= own.keys():
        own["stake"] = own["chips"] * own["unit_value"]  # RL-10
    problems += unknown_keys(f"`{name}`", own, form.known) + _unmeant(name, own)
    for needed in form.needs:
        if own.keys().isdisjoint(needed.split("|")):
            problems.append(f"`{needed.replace('|', '` or `')}` is missing in `{name}` {own.get('id', '')}".rstrip())
    for inside in ("components", "winning"):
        if own.get(inside) is not None:
            own[inside] = [_one(inside, _placed(part), problems) for part in own[inside]]
    for inside in ("announced", "resolved"):
        if isinstance(own.get(inside), dict):
            own[inside] = _one(inside, own[inside], problems)
    for several in ("players", "bets"):
        if isinstance(own.get(several), str):
            own[several] = [own[several]]
    return own


def _placed(part: Any) -> Any:
    """A winning position may be its numbers alone."""
    return {"pos": part} if isinstance(part, list | int | str) else part


def _told(name: str, value: Any) -> Given:
    """Short forms: a word for what happened, or that it did."""
    if isinstance(value, dict):
        return value
    if name == "incident":
        return {"kind": str(value)}
    return {"reason": None if value is True else value}


def problems_of_spin(own: Given, spin: Given, laid: set[str]) -> list[str]:
    """What is wrong with one spin, `laid` being the bets of the spins before; its own are added to them."""
    problems = unknown_keys("spin", spin, SPIN) + _unmeant("spin", spin)
    laid.update(str(bet.get("id")) for bet in own.get("bets") or ())
    for name in ("moves", "claims", "call_settled", "recorded"):
        about = own.get(name) or ()
        named = list(about) if isinstance(about, dict) else [one.get("bet") for one in about]
        problems += [f"`{name}` names a bet {bet} that nobody laid" for bet in named if str(bet) not in laid]
    return problems
