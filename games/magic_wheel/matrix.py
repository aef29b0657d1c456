"""The void-and-refund matrix of the magic wheel (magic-wheel.md section 5)."""

from __future__ import annotations

from games.shared.matrix import Row

GAME_GROUNDS = frozenset({"rule_breach", "collusion_players", "collusion_staff"})
ADVICE_GROUNDS = frozenset({"staff_advice", "dishonest_help"})

MATRIX: tuple[Row, ...] = (
    Row(
        trigger="fewer than five rotations", grounds=("short_spin",), scopes=("round",), evidence="rotation count",
        standard="choice", decides="player", effects=("leave", "refund"), rule="MW-10",
    ),
    Row(
        trigger="bet after the closing call", grounds=("late_bet",), scopes=("bet",), evidence="times",
        standard="fact", decides="mandatory", effects=("refund",), rule="MW-08",
    ),
    Row(
        trigger="bet on X or outside the boxes", grounds=("illegal_symbol",), scopes=("bet",), evidence="symbol",
        standard="fact", decides="mandatory", effects=("refund",), rule="MW-02",
    ),
    Row(
        trigger="not a value chip", grounds=("not_value_chip",), scopes=("bet",), evidence="chip kind",
        standard="fact", decides="mandatory", effects=("refund",), rule="MW-04",
    ),
    Row(
        trigger="under a house limit, if set", grounds=("under_min",), scopes=("bet",), evidence="stake and limits",
        standard="fact", decides="mandatory", effects=("refund",), rule="MW-A08",
    ),
    Row(
        trigger="over a house limit, if set", grounds=("over_max",), scopes=("bet",), evidence="stake and limits",
        standard="fact", decides="mandatory", effects=("partial_refund",), rule="MW-A08",
    ),
    Row(
        trigger="call missing, or spin before it",
        grounds=("opening_call_missing", "closing_call_missing", "spun_before_call"), scopes=(),
        evidence="call and spin times", standard="none", decides="nobody", effects=("none",), rule="MW-08",
    ),
    Row(
        trigger="moved or removed after the call", grounds=("late_move",), scopes=(), evidence="times",
        standard="fact", decides="mandatory", effects=("none",), rule="MW-A07",
    ),
    Row(
        trigger="competing claims", grounds=("claim_disputed",), scopes=("bet",), evidence="claims, video",
        standard="none", decides="complaints", effects=("hold",), rule="MW-06",
    ),
    Row(
        trigger="wrong symbol announced or wrong pin field", grounds=("misannounced_symbol",), scopes=("round",),
        evidence="stop position, direction", standard="fact", decides="mandatory", effects=("resettle",), rule="MW-11",
    ),
    Row(
        trigger="pin, previous field not on record", grounds=("pin_undecided",), scopes=("round",),
        evidence="stop position, direction", standard="none", decides="management", effects=("ruling",), rule="MW-12",
    ),
    Row(
        trigger="wheel composition or layout ratio wrong", grounds=("wheel_composition", "layout_ratio_mismatch"),
        scopes=("round",), evidence="field list, print", standard="none", decides="management", effects=("ruling",),
        rule="MW-01",
    ),
    Row(
        trigger="field and symbol on record differ", grounds=("symbol_mismatch",), scopes=("round",),
        evidence="stop position, field list", standard="none", decides="management", effects=("ruling",), rule="MW-11",
    ),
    Row(
        trigger="interference, mechanical failure", grounds=("wheel_incident",), scopes=("round",),
        evidence="incident event", standard="none", decides="management", effects=("ruling",), rule="MW-A12",
    ),
    Row(
        trigger="collusion", grounds=tuple(sorted(GAME_GROUNDS)), scopes=("round", "session"), evidence="ruling",
        standard="suspicion", decides="management", effects=("refund",), rule="MW-A11", by_analogy=True,
    ),
    Row(
        trigger="staff advice or help", grounds=tuple(sorted(ADVICE_GROUNDS)), scopes=("player", "bet"),
        evidence="ruling", standard="suspicion", decides="management", effects=("refund",), rule="MW-A11",
        by_analogy=True,
    ),
    Row(
        trigger="direction not alternated", grounds=(), scopes=(), evidence="n/a", standard="none", decides="nobody",
        effects=("none",), rule="MW-09",
    ),
)  # fmt: skip
"""In the catalogue's order; `standard` of a ruling is the least that suffices (RL-40: proof or suspicion)."""
