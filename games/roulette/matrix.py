"""The void-and-refund matrix of roulette (roulette.md section 5)."""

from __future__ import annotations

from games.shared.matrix import Row

MATRIX: tuple[Row, ...] = (
    Row(
        trigger="wheel in the same direction as the rotation before", grounds=("wheel_not_alternated",),
        scopes=("round",), evidence="two successive wheel directions", standard="fact", decides="mandatory",
        effects=("void", "refund"), rule="RL-15",
    ),
    Row(
        trigger="ball launched with the wheel", grounds=("ball_with_wheel",), scopes=("round",),
        evidence="wheel and ball direction", standard="fact", decides="mandatory", effects=("void", "refund"),
        rule="RL-14",
    ),
    Row(
        trigger="fewer than ten laps", grounds=("short_spin",), scopes=("round",),
        evidence="lap count (sensor or video)", standard="fact", decides="mandatory", effects=("void", "refund"),
        rule="RL-17",
    ),
    Row(
        trigger="bet after the closing call", grounds=("late_bet",), scopes=("bet",), standard="fact",
        evidence="landing time, call time", decides="mandatory", effects=("refund",), rule="RL-19",
    ),
    Row(
        trigger="call bet placed after the closing call", grounds=("late_call_bet",), scopes=("bet",),
        evidence="placing time, call time, drop time", standard="fact", decides="mandatory", effects=("refund",),
        rule="RL-13",
    ),
    Row(
        trigger="call bet refused for lack of time", grounds=("call_bet_refused",), scopes=(), evidence="refusal",
        standard="fact", decides="mandatory", effects=("refund",), rule="RL-12",
    ),
    Row(
        trigger="bet moved or withdrawn after the call", grounds=("late_move",), scopes=("bet",),
        evidence="move time, call time", standard="fact", decides="mandatory", effects=("refund",), rule="RL-20",
    ),
    Row(
        trigger="colour chip of another table", grounds=("foreign_colour",), scopes=("bet",),
        evidence="the chip's issuing table", standard="fact", decides="mandatory", effects=("refund",), rule="RL-04",
    ),
    Row(
        trigger="illegal position, or under the minimum", grounds=("illegal_position", "under_min"), scopes=("bet",),
        evidence="position; stake and limits", standard="fact", decides="mandatory", effects=("refund",), rule="RL-24",
    ),
    Row(
        trigger="over the maximum", grounds=("over_max",), scopes=("bet",), evidence="stake and limits",
        standard="fact", decides="mandatory", effects=("partial_refund",), rule="RL-23",
    ),
    Row(
        trigger="suspected or proved breach of the rules", grounds=("rule_breach",), scopes=("round", "session"),
        evidence="suspicion suffices; ruling with its ground", standard="suspicion", decides="management",
        effects=("void", "refund"), rule="RL-40",
    ),
    Row(
        trigger="suspected or proved collusion", grounds=("collusion_players", "collusion_staff"),
        scopes=("round", "session"), evidence="suspicion suffices; ruling with its ground", standard="suspicion",
        decides="management", effects=("void", "refund"), rule="RL-40",
    ),
    Row(
        trigger="staff advice, or help to a dishonest win", grounds=("staff_advice", "dishonest_help"),
        scopes=("player", "bet"), evidence="suspicion suffices", standard="suspicion", decides="management",
        effects=("void", "refund"), rule="RL-41",
    ),
    Row(
        trigger="closing call missing or late", grounds=("nmb_missing", "nmb_late"), scopes=(),
        evidence="call and drop times", standard="none", decides="nobody", effects=("none",), rule="RL-18",
    ),
    Row(
        trigger="second colour, seat, opening call", scopes=(), evidence="chips and seats",
        grounds=("second_colour", "seat_not_player", "opening_call_missing"), standard="none", decides="nobody",
        effects=("none",), rule="RL-03",
    ),
    Row(
        trigger="left without exchanging colour chips", grounds=("left_with_colour",), scopes=(),
        evidence="ended play, left the table", standard="fact", decides="mandatory", effects=("resettle",),
        rule="RL-08",
    ),
    Row(
        trigger="ball incident, unknown wheel", grounds=("ball_incident", "wheel_order_mismatch"), scopes=("round",),
        evidence="incident, wheel order", standard="fact", decides="management", effects=("ruling", "void"),
        rule="RL-A24",
    ),
    Row(
        trigger="mis-spin declared without a ground", grounds=("misspin_unfounded",), scopes=("round",),
        evidence="declaration, the spin's facts", standard="fact", decides="management", effects=("ruling", "void"),
        rule="RL-16",
    ),
    Row(
        trigger="wrong number announced", grounds=("misannounced_number",), scopes=("round",),
        evidence="pocket, announcement", standard="fact", decides="mandatory", effects=("resettle",), rule="RL-21",
    ),
    Row(
        trigger="bet in another player's colour", grounds=("colour_owner_conflict",), scopes=("bet",),
        evidence="register of colours", standard="fact", decides="mandatory", effects=("resettle",), rule="RL-03",
    ),
    Row(
        trigger="competing claims to a value-chip bet", grounds=("claim_disputed",), scopes=("bet",),
        evidence="claims", standard="none", decides="complaints", effects=("hold",), rule="RL-A26",
    ),
)  # fmt: skip
