"""What lies before the first card: antes and bonuses, which of them count and how much (RP-01, 03, 04, 11, 12)."""

from __future__ import annotations

from games.russian_poker.boxes import SPOTS, noticed
from games.russian_poker.play import Playing, Table
from games.shared.bank.parts import Part, keep_up_to, total
from games.shared.marks import missing

MAX_BOXES = 4


def judge_opening(table: Table) -> None:
    """Settles which boxes play, with what ante; all that may not lie goes back."""
    for own in table.boxes:
        _foreign(table, own)
        _no_such_spot(table, own)
    late_antes(table)
    _one_box_each(table)
    _four_boxes(table)
    for own in table.boxes:
        if own.status != "out":
            own.ante = total(own.live("ante"))
            _within_limits(table, own)
    for own in table.boxes:
        if not own.counts:
            own.status = "out"
        _bonus(table, own)
        if own.status == "out":
            _without_ante(table, own)


def _foreign(table: Table, own: Playing) -> None:
    """RP-04: all stakes of a round are in the tier's currency."""
    for parts in own.parts.values():
        for part in parts:
            if part.stake.currency:
                table.void(own, [part], "RP-04", "foreign_currency")


def _no_such_spot(table: Table, own: Playing) -> None:
    """A box has the spots of the layout and no other; chips elsewhere are no stake (D50)."""
    for spot, parts in own.parts.items():
        if spot not in SPOTS:
            table.void(own, parts, "RP-04", "unknown_spot")


def late_antes(table: Table) -> None:
    """RP-11: an ante lies before the first card."""
    first = table.first_card
    for own in table.boxes:
        if first is not None:
            table.void(own, [part for part in own.parts["ante"] if part.stake.order > first], "RP-11", "late_ante")


def _in_order(table: Table) -> list[Playing]:
    """Boxes with an ante in time, as they were anted."""
    anted = [own for own in table.boxes if own.live("ante") and own.status != "out"]
    return sorted(anted, key=lambda own: own.live("ante")[0].stake.order)


def _one_box_each(table: Table) -> None:
    """RP-03: a player's second box goes back if that is found before the first card; else a person decides (D42)."""
    seen: dict[str, Playing] = {}
    for own in _in_order(table):
        player = own.live("ante")[0].stake.player
        if player not in seen:
            seen[player] = own
            continue
        ante = own.live("ante")[0].stake
        when = noticed(table.coup, "second_box", own.box.number, spot="ante", after=ante.order)
        if when is not None and (table.first_card is None or when < table.first_card):
            _send_back(table, own, "RP-03", "second_box")
        elif table.first_card is not None:
            other = seen[player].box.number
            table.strange(
                table.mark(
                    "RP-03", "second_box", "ruling_required", "round", own=own, facts=(ante.fact,),
                    text=f"{player} plays box {other} too",
                )
            )  # fmt: skip


def _four_boxes(table: Table) -> None:
    """RP-01: the fifth ante goes back with all that its box staked; cards dealt to it are dead."""
    for own in _in_order(table)[MAX_BOXES:]:
        fact = own.live("ante")[0].stake.fact
        _send_back(table, own, "RP-01", "fifth_box")
        if own.box.dealt:
            own.dead = True
            table.mark(
                "RP-01", "fifth_box_dealt", "breach", "hand", own=own, facts=(fact, own.box.dealt[0].fact),
                text="its cards are dead",
            )  # fmt: skip


def _send_back(table: Table, own: Playing, rule: str, code: str) -> None:
    """Everything that a box staked."""
    own.status = "out"
    own.result = "void"
    table.void(own, [part for parts in own.parts.values() for part in parts], rule, code)


def _within_limits(table: Table, own: Playing) -> None:
    """RP-04: out of the limits and named before the first card, the ante goes back; found later it is capped (D40)."""
    parts = own.live("ante")
    if not parts:
        return
    low, high = parts[0].stake.limits.of("ante")
    if low is None and high is None:
        table.marks.append(missing("RP-04", "ante_limits", "bet", subject=f"box/{own.box.number}"))
        return
    under, over = low is not None and own.ante < low, high is not None and own.ante > high
    if not (under or over) or table.first_card is None:
        return
    code = "ante_over_max" if over else "ante_under_min"
    when = noticed(table.coup, code, own.box.number, spot="ante", after=parts[0].stake.order)
    if when is not None and when < table.first_card:
        own.ante = 0
        _send_back(table, own, "RP-04", code)
        return
    facts = tuple(part.stake.fact for part in parts)
    if over and high is not None:
        excess = keep_up_to(parts, high, "RP-04", code)
        own.ante = high
        table.mark("RP-04", code, "corrected", own=own, facts=facts, remedy={"live": high, "refund": excess})
    else:
        table.mark("RP-04", code, "breach", own=own, facts=facts, remedy={"min": low})


def _bonus(table: Table, own: Playing) -> None:
    """RP-12: the fixed stake, beside an ante, before the first card."""
    parts = own.live("bonus")
    if not parts:
        return
    if not own.counts:
        table.void(own, parts, "RP-12", "bonus_without_ante")
        return
    first = table.first_card
    if first is not None:
        table.void(own, [part for part in parts if part.stake.order > first], "RP-12", "late_bonus")
    _fixed(table, own, own.live("bonus"))


def _fixed(table: Table, own: Playing, parts: list[Part]) -> None:
    fixed = table.constants.bonus_stake(table.session.currency)
    if fixed is None:
        table.known = False
        table.marks.append(missing("RP-12", "bonus_amount", "bet", subject=f"box/{own.box.number}"))
    elif 0 < total(parts) < fixed:
        if table.first_card is not None:  # until then it may still be made up
            table.void(own, parts, "RP-12", "bonus_too_small")
    elif total(parts) > fixed:
        excess = keep_up_to(parts, fixed, "RP-12", "bonus_too_large")
        facts = tuple(part.stake.fact for part in parts)
        table.mark(
            "RP-12", "bonus_too_large", "corrected", own=own, facts=facts, remedy={"live": fixed, "refund": excess}
        )


def _without_ante(table: Table, own: Playing) -> None:
    """A box without an ante stakes nothing and gets no cards (RP-11)."""
    for spot in ("fee", "insurance", "bet", "rex"):
        table.void(own, own.parts[spot], "RP-11", "stake_without_ante")
    if own.box.dealt and not own.dead:
        own.dead = True
        table.strange(
            table.mark(
                "RP-11", "dealt_without_ante", "ruling_required", "round", own=own, facts=(own.box.dealt[0].fact,),
                text="its cards are dead, the order of the others is disturbed",
            )
        )  # fmt: skip
