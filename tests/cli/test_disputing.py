"""`dispute` and `void` from the command line: two managers, each with a key of his own."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from cli import assembly
from tests.cli.desk import Desk, Managers, Result, lines_of


@pytest.fixture
def managers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Managers:
    desk = Desk(tmp_path).init()
    records = assembly.rooms()["roulette"].deal(4, 5, breach="RL-26", breach_round=2)
    assert desk.ingest(lines_of(records)).code == 0
    return Managers(desk, tmp_path, monkeypatch)


def test_a_complaint_from_the_first_word_to_the_last(managers: Managers) -> None:
    said = managers.run("anna", "dispute", "open", "RL-03#3", "--claim", "paid as a split", "--player", "p-438")
    dispute = said.out.split()[1]
    noted = managers.run(
        "anna", "dispute", "note", dispute, "--camera", "cam-4", "--clip", "12", "--hold", "footage:cam-4"
    )
    assert noted.code == 0, noted.err
    assert "p-438 owes 50 CZK" in managers.run("anna", "dispute", "judge", dispute).out
    proposed = managers.run("anna", "dispute", "propose", dispute, "--ground", "table_error", "--reason", "camera 4")
    assert "p-438 owes 50 CZK" in proposed.out
    own = managers.run("anna", "dispute", "approve", dispute, "--reason", "mine")
    assert own.code == 2
    assert "anna proposed" in own.err
    approved = managers.run("boris", "dispute", "approve", dispute, "--reason", "seen")
    assert f"{dispute}.R1: correct of 1 round for table_error\n  p-438 owes 50 CZK" in approved.out
    assert "in force for 1 round" in managers.run("boris", "dispute", "issue", dispute).out
    settled = managers.run("anna", "dispute", "settle", dispute, "p-438", "--how", "received", "--reason", "desk 1")
    assert "no amount is open" in settled.out
    assert managers.run("anna", "dispute", "tell", dispute, "p-438").code == 0
    assert managers.run("anna", "dispute", "close", dispute, "--outcome", "settled", "--reason", "done").code == 0
    assert "no dispute is open" in managers.run("anna", "dispute", "list").out
    row = managers.run("anna", "dispute", "show", dispute, "--json").row
    assert (row["state"], row["in_force"]["amounts"]) == ("closed", {"p-438": -5000})
    shown = managers.run("anna", "dispute", "show", dispute)
    for told in (
        "anna: evidence noted: camera cam-4, clip 12",
        "anna: ruling proposed: correct for table_error  camera 4",
        "anna: 50 CZK received from p-438  desk 1",
        "anna: told (table): p-438",
        "anna: closed: settled",
    ):
        assert told in shown.out
    assert "boris: ruling approved  seen" in shown.out
    assert managers.run("boris", "dispute", "reopen", dispute, "--reason", "he appeals").code == 0


def test_void_opens_judges_and_proposes_in_one_go(managers: Managers) -> None:
    said = managers.run(
        "anna", "void", "RL-03#2", "--ground", "collusion_players", "--reason", "signals on camera", "--json"
    )
    assert said.code == 0, said.err
    row = said.row
    assert row["basis"] == "book"
    assert sum(row["amounts"].values()) == row["before"]["win"] - row["after"]["win"]
    unknown = managers.run("anna", "void", "RL-03#4", "--ground", "card_counting", "--reason", "he counts")
    assert unknown.code == 2
    assert "--basis management" in unknown.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["show", "2026-01-01.1"], "no dispute"),
        (["open", "RL-03#99", "--claim", "x"], "99"),
        (["open", "RL-03#3", "--claim", "x", "--channel", "pigeon"], "no channel"),
        (["open", "RL-03#3", "--claim", " "], "empty"),
        (["note", "2026-01-01.1"], "a camera or another thing"),
        (["note", "2026-01-01.1", "--camera", "cam-4", "--from", "25:99"], "no time of day"),
        (["propose", "2026-01-01.1", "--ground", "x", "--reason", "r", "--amount", "nonsense"], "states no amount"),
        (["propose", "2026-01-01.1", "--ground", "x", "--reason", "r", "--scope", "town"], "no scope"),
        (
            ["propose", "2026-01-01.1", "--ground", "x", "--reason", "r", "--amount", "p-1=5", "--amount", "p-1=3"],
            "p-1 stands there twice",
        ),
    ],
)
def test_what_cannot_be_meant_is_said(managers: Managers, words: list[str], told: str) -> None:
    said = managers.run("anna", "dispute", *words)
    assert said.code == 2
    assert told in said.err
    assert "Traceback" not in said.err


def test_each_look_is_kept_in_the_access_trail(managers: Managers) -> None:
    dispute = managers.run("anna", "dispute", "open", "RL-03#3", "--claim", "x").out.split()[1]
    managers.run("boris", "dispute", "show", dispute, "--reason", "he asked")
    with assembly.open_log(managers.desk.store) as log:
        (subject,) = log.subjects("access/")
        (fact,) = log.session_facts(subject).facts
    assert (fact.event.about, fact.reason) == (dispute, "he asked")  # type: ignore[union-attr]
    assert str(fact.account).startswith("key:")


def test_a_list_names_no_person_and_nothing_is_shown_without_the_trail(
    managers: Managers, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = managers.run("anna", "dispute", "open", "RL-03#3", "--claim", "x", "--player", "p-438")
    dispute = opened.out.split()[1]
    for words in ((), ("--json",)):
        listed = managers.run("anna", "dispute", "list", *words)
        assert dispute in listed.out
        assert "p-438" not in listed.out

    def full(*_given: object, **_named: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("events.store.Log.author", full)
    refused = managers.run("anna", "dispute", "show", dispute)
    assert refused.code == 3
    assert "the access trail cannot be written" in refused.err
    assert "p-438" not in refused.out + refused.err


def test_the_trail_follows_disputes_and_rounds_to_their_persons(managers: Managers) -> None:
    opened = managers.run("anna", "dispute", "open", "RL-03#3", "--claim", "x", "--player", "p-438")
    dispute = opened.out.split()[1]
    other = next(
        one["player"]
        for one in managers.desk.run("judge", "RL-03#3", "--json").row["due"]["lines"]
        if one["player"] != "p-438"
    )
    managers.run("boris", "dispute", "show", dispute)
    found = managers.desk.run("access", "--person", "p-438", "--json").rows
    assert [(row["what"], row["about"]) for row in found] == [("dispute", dispute)]
    assert managers.desk.run("access", "--person", other, "--json").rows == []  # the dispute does not name him
    pack = str(managers.desk.folder / "pack.zip")
    managers.run("boris", "seal", "init", "--origin", "brno.example/recoup")
    assert managers.run("boris", "evidence", "RL-03#3", "-o", pack).code == 0
    for player in ("p-438", other):
        rows = managers.desk.run("access", "--person", player, "--json").rows
        assert rows[-1]["about"].endswith("RL-03/2026-11-28.1#3"), player
    assert managers.desk.run("access", "--person", "p-0", "--json").rows == []
    managers.run("boris", "ask", "sat-together", "--set", "rounds=1")
    said = managers.desk.run("access", "--person", "p-0")
    assert "1 look at many at once" in said.err
    listed = managers.desk.run("access").out
    assert "asked a question" in listed
    assert "collusion file" not in listed


def test_an_export_has_shown_the_rounds_that_the_ruling_of_its_time_reached(managers: Managers) -> None:
    played = {
        f"RL-03#{row['round'].rpartition('#')[2]}": {one["player"] for one in row["due"]["lines"]}
        for row in managers.desk.run("judge", "--all", "--json").rows
    }
    own, other = next((one, two) for one in played for two in played if played[two] - played[one])
    player = min(played[other] - played[own])
    upheld = ("--ground", "collusion_players", "--remedy", "valid")
    managers.run("boris", "seal", "init", "--origin", "brno.example/recoup")
    dispute, _proposed, _shown = ruled(managers, own, *upheld, "--round", own, "--round", other)
    packs = [str(managers.desk.folder / f"{number}.zip") for number in (1, 2)]
    assert managers.run("anna", "evidence", dispute, "-o", packs[0], "--reason", "the first").code == 0
    managers.run("anna", "dispute", "judge", dispute)
    assert managers.run("anna", "dispute", "propose", dispute, "--reason", "only own", *upheld).code == 0
    assert managers.run("boris", "dispute", "approve", dispute, "--reason", "agreed").code == 0
    assert managers.run("boris", "dispute", "issue", dispute).code == 0
    assert managers.run("anna", "evidence", dispute, "-o", packs[1], "--reason", "the second").code == 0
    rows = managers.desk.run("access", "--person", player, "--json").rows
    assert [row["reason"] for row in rows] == ["the first"]
    report = ZipFile(packs[1]).read("report.html").decode()
    assert "no longer ruled on" in report


def bet_of(managers: Managers, round_: str) -> tuple[str, str, int]:
    """A bet of a round, its player, and what he won or lost with it."""
    line = next(one for one in managers.desk.run("judge", round_, "--json").row["recorded"]["lines"] if one["paid"])
    return line["stake"], line["player"], line["paid"] - line["taken"]


def ruled(managers: Managers, round_: str, *words: str) -> tuple[str, Result, Result]:
    """A dispute about a round ruled on from the first word to the issued ruling: its id, the proposal, what it shows."""
    dispute = managers.run("anna", "dispute", "open", round_, "--claim", "x").out.split()[1]
    managers.run("anna", "dispute", "note", dispute, "--camera", "cam-4")
    managers.run("anna", "dispute", "judge", dispute)
    proposed = managers.run("anna", "dispute", "propose", dispute, "--reason", "seen", "--json", *words)
    assert proposed.code == 0, proposed.err
    assert managers.run("boris", "dispute", "approve", dispute, "--reason", "agreed").code == 0
    assert managers.run("boris", "dispute", "issue", dispute).code == 0
    return dispute, proposed, managers.run("anna", "dispute", "show", dispute)


def test_a_channel_may_be_named_though_it_is_the_usual_one(managers: Managers) -> None:
    typed = b"table".decode()  # as from the command line: another object than the default in the code
    said = managers.run("anna", "dispute", "open", "RL-03#3", "--claim", "x", "--channel", typed)
    assert said.code == 0, said.err


def test_each_step_names_the_next_and_so_does_the_dispute_itself(managers: Managers) -> None:
    why = ("--reason", "seen")
    reached: list[str] = []
    said = managers.run("anna", "dispute", "open", "RL-03#3", "--claim", "x", "--player", "p-438")
    dispute = said.out.split()[1]
    more: dict[str, tuple[str, ...]] = {
        "propose": ("--ground", "table_error", *why), "approve": why, "settle": ("p-438", "--how", "received", *why),
        "tell": ("p-438",), "close": ("--outcome", "settled", *why), "reopen": why,
    }  # fmt: skip
    while len(reached) < 9:
        _recoup, _dispute, verb, named, *_more = said.err.partition("next: ")[2].split()
        shown = managers.run("anna", "dispute", "show", dispute)
        assert f"recoup dispute {verb} {dispute}" in " ".join(shown.err.split())
        assert named == dispute
        reached.append(verb)
        said = managers.run("boris" if verb == "approve" else "anna", "dispute", verb, dispute, *more.get(verb, ()))
        assert said.code == 0, said.err
        if verb == "close":
            assert f"{dispute}  closed (settled)" in managers.desk.run("dispute", "list", "--all").out
            said = managers.run("anna", "dispute", "show", dispute)
    assert reached == ["judge", "propose", "approve", "issue", "settle", "tell", "close", "reopen", "judge"]


@pytest.mark.parametrize("scope", ["bet", "player"])
def test_one_bet_or_one_player_of_a_spin_is_voided_and_no_other(managers: Managers, scope: str) -> None:
    """Advice voids all bets of the advised player (RL-A19), whether he is named or one of his bets."""
    bet, player, _net = bet_of(managers, "RL-03#2")
    lines = managers.desk.run("judge", "RL-03#2", "--json").row["recorded"]["lines"]
    own = {one["stake"]: one["paid"] - one["taken"] for one in lines if one["player"] == player}
    nets = {stake: net for stake, net in own.items() if net}
    assert len(own) < len(lines)
    named = ("--bet", bet) if scope == "bet" else ("--player", player)
    dispute, proposed, shown = ruled(
        managers, "RL-03#2", "--ground", "staff_advice", "--remedy", "void", "--scope", scope, *named
    )
    row = proposed.row
    assert row["amounts"] == {player: -sum(nets.values())}
    assert {one["stake"]: one["before"] for one in row["stakes"]} == nets
    assert {one["after"] for one in row["stakes"]} == {0}
    assert row["after"]["win"] - row["before"]["win"] == sum(nets.values())
    assert f"for staff_advice, of {bet if scope == 'bet' else player}" in shown.out
    assert "the house's win of these rounds" in shown.out
    effects = managers.run("anna", "dispute", "show", dispute, "--json").row["effects"]
    assert (effects["amounts"], effects["after"]) == (row["amounts"], row["after"])


@pytest.mark.parametrize(("remedy", "sign"), [("return", 1), ("forfeit", -1)])
def test_stated_amounts_are_managements_own_and_say_so_wherever_they_are_shown(
    managers: Managers, remedy: str, sign: int
) -> None:
    _bet, player, _net = bet_of(managers, "RL-03#2")
    words = ("--ground", "goodwill", "--remedy", remedy, "--amount", f"{player}=12.50")
    dispute = managers.run("anna", "dispute", "open", "RL-03#2", "--claim", "x").out.split()[1]
    managers.run("anna", "dispute", "judge", dispute)
    refused = managers.run("anna", "dispute", "propose", dispute, "--reason", "so", *words)
    assert refused.code == 2
    assert "gives management no ruling on `goodwill`" in refused.err
    misspelt = managers.run("anna", "dispute", "propose", dispute, "--reason", "so", *words, "--basis", "managment")
    assert "`managment` is no basis" in misspelt.err
    said = managers.run("anna", "dispute", "propose", dispute, "--reason", "so", *words, "--basis", "management")
    assert "MANAGEMENT'S OWN GROUND" in said.out
    waiting = managers.run("boris", "dispute", "show", dispute)
    assert f"waits: {dispute}.R1: {remedy} of 1 round for goodwill" in waiting.out
    assert "MANAGEMENT'S OWN GROUND" in waiting.out
    managers.run("boris", "dispute", "approve", dispute, "--reason", "agreed")
    managers.run("boris", "dispute", "issue", dispute)
    row = managers.run("anna", "dispute", "show", dispute, "--json").row
    assert (row["in_force"]["basis"], row["open_amounts"]) == ("management", {player: sign * 1250})
    assert row["effects"]["after"]["win"] - row["effects"]["before"]["win"] == -sign * 1250
    how = "paid" if sign > 0 else "received"
    settled = managers.run("anna", "dispute", "settle", dispute, player, "--how", how, "--reason", "desk 1")
    assert "no amount is open" in settled.out


def test_a_penalty_moves_no_money(managers: Managers) -> None:
    _bet, player, _net = bet_of(managers, "RL-03#2")
    words = ("--ground", "insult", "--remedy", "penalty", "--scope", "player", "--player", player)
    dispute, proposed, shown = ruled(managers, "RL-03#2", *words, "--basis", "management")
    assert (proposed.row["amounts"], proposed.row["basis"]) == ({}, "management")
    assert "it moves no money" in shown.out
    assert f"penalty on {player} in 1 round for insult" in shown.out
    assert "MANAGEMENT'S OWN GROUND" in shown.out
    assert managers.desk.run("judge", "RL-03#2").code == 0
    assert managers.run("anna", "dispute", "close", dispute, "--outcome", "settled", "--reason", "done").code == 0


def test_judge_tells_a_manager_on_what_he_must_rule_and_which_outcomes_there_are(managers: Managers) -> None:
    records = list(assembly.rooms()["blackjack"].deal(3, 5, breach="BJ-30", table="brno/BJ-01"))
    assert managers.desk.ingest(lines_of(records)).code == 0
    round_ = next(f"BJ-01#{name}" for name in ("1", "2", "3") if managers.desk.run("judge", f"BJ-01#{name}").code == 5)
    dispute = managers.run("anna", "dispute", "open", round_, "--claim", "x").out.split()[1]
    judged = managers.run("anna", "dispute", "judge", dispute).out
    assert "a person must say: --ground unequal_extra_bet" in judged or "--ground double_not_allowed" in judged
    assert "outcomes: --remedy as_played, " in judged


def test_what_a_gap_leaves_of_a_round_is_no_claim_yet(managers: Managers) -> None:
    lines = list(lines_of(assembly.rooms()["roulette"].deal(3, 6, table="brno/RL-09")))
    placed = next(line for line in lines if b"RL.BetPlaced" in line and b'"round":"2"' in line)
    assert managers.desk.ingest([line for line in lines if line != placed], "hole.ndjson").code == 0
    dispute = managers.run("anna", "dispute", "open", "RL-09#2", "--claim", "x").out.split()[1]
    judged = managers.run("anna", "dispute", "judge", dispute)
    assert "by what there is of it, which is no claim yet:" in judged.out
    assert "next: recoup gaps" in judged.err


def test_rounds_of_one_name_in_two_sessions_of_a_table_are_told_apart(managers: Managers) -> None:
    """And who opens a dispute about a round hears of the one that there is."""
    records = assembly.rooms()["roulette"].deal(3, 6, table="brno/RL-03", day="2026-11-29")
    assert managers.desk.ingest(lines_of(records)).code == 0
    both = [f"table/brno/RL-03/2026-11-{day}.1#2" for day in (28, 29)]
    first = managers.run("anna", "dispute", "open", both[1], "--claim", "x").out.split()[1]
    said = managers.run("anna", "dispute", "open", *both, "--claim", "x")
    assert f"disputed in {first} too (open)" in said.out
    dispute = said.out.split()[1]
    judged = managers.run("anna", "dispute", "judge", dispute).out
    proposed = managers.run("anna", "dispute", "propose", dispute, "--ground", "table_error", "--reason", "x").out
    for day in (28, 29):
        assert f"RL-03/2026-11-{day}.1#2: valid" in judged
        assert f"RL-03/2026-11-{day}.1 #2" in proposed


def test_a_ruling_names_all_its_rounds_where_it_is_proposed_and_shown(managers: Managers) -> None:
    dispute = managers.run("anna", "dispute", "open", "RL-03#3", "--claim", "x").out.split()[1]
    managers.run("anna", "dispute", "judge", dispute)
    words = ("dispute", "propose", dispute, "--ground", "table_error", "--reason", "seen", "--round")
    assert "was not judged on" in managers.run("anna", *words, "RL-03#4").err
    said = managers.run("anna", *words, "RL-03#3", "--round", "RL-03#4")
    for told in (said, managers.run("anna", "dispute", "show", dispute)):
        assert "of RL-03 #3, #4" in told.out


def test_a_ruling_that_replaces_another_is_shown_with_all_that_issuing_it_will_open(managers: Managers) -> None:
    """A shoe's void that was paid out is taken back: every round stands again and every amount goes back."""
    records = list(assembly.rooms()["blackjack"].deal(3, 5, breach="BJ-08", table="brno/BJ-01"))
    assert managers.desk.ingest(lines_of(records)).code == 0
    words = ("--ground", "shuffle_breach", "--standard", "proof")
    dispute, proposed, _shown = ruled(managers, "BJ-01#2", *words, "--remedy", "void", "--scope", "shoe")
    paid = proposed.row["amounts"]
    assert len(paid) > 1
    assert proposed.row["opens"] == paid
    waived = next(player for player, amount in paid.items() if amount < 0)
    for player, amount in paid.items():
        how = "waived" if player == waived else "paid" if amount > 0 else "received"
        assert managers.run("anna", "dispute", "settle", dispute, player, "--how", how, "--reason", "x").code == 0
    back = {player: -amount for player, amount in paid.items() if player != waived}
    assert managers.run("anna", "dispute", "judge", dispute).code == 0
    told = managers.run("anna", "dispute", "propose", dispute, "--remedy", "valid", "--reason", "after all", *words)
    row = managers.run("anna", "dispute", "show", dispute, "--json").row
    assert (row["opens"], [address.rpartition("#")[2] for address in row["frees"]]) == (back, ["1"])
    for said in (told, managers.run("anna", "dispute", "show", dispute)):
        before, _net, after = said.out.partition(f"it replaces {dispute}.R1")
        assert f"{dispute}.R2: valid of 1 round" in before
        assert "of itself it moves no money" in before
        assert "as the rules make them again: BJ-01 #1" in " ".join(after.split())
        for player, amount in back.items():
            assert f"{player} {'is owed' if amount > 0 else 'owes'}" in after
    assert managers.run("boris", "dispute", "approve", dispute, "--reason", "agreed").code == 0
    issued = managers.run("boris", "dispute", "issue", dispute)
    assert "as the rules make them again: BJ-01 #1" in " ".join(issued.out.split())
    assert managers.run("anna", "dispute", "show", dispute, "--json").row["open_amounts"] == back


def test_a_void_that_is_not_proposed_says_which_dispute_it_has_left_open(managers: Managers) -> None:
    words = ("void", "RL-03#4", "--ground", "card_counting", "--reason", "he counts")
    assert managers.run("anna", *words, "--scope", "town").code == 2
    assert "no dispute is open" in managers.run("anna", "dispute", "list").out
    refused = managers.run("anna", *words)
    (left,) = managers.run("anna", "dispute", "list", "--json").rows
    said = " ".join(refused.err.split())
    assert f"dispute {left['dispute']} stays open" in said
    assert f"recoup dispute propose {left['dispute']} --remedy void --ground card_counting" in said
    close = f"recoup dispute close {left['dispute']} --outcome withdrawn --reason TEXT"
    assert close in said
    assert managers.run("anna", *close.split()[1:]).code == 0


def test_void_reaches_every_round_of_the_shoe_without_being_told(managers: Managers) -> None:
    records = list(assembly.rooms()["blackjack"].deal(3, 5, breach="BJ-08", table="brno/BJ-01"))
    assert managers.desk.ingest(lines_of(records)).code == 0
    words = ("void", "BJ-01#2", "--ground", "shuffle_breach", "--standard", "proof", "--reason", "no piles", "--json")
    unseen = managers.run("anna", *words)
    assert unseen.code == 2
    assert "wants proof by the audiovisual record" in unseen.err
    said = managers.run("anna", *words, "--camera", "cam-2")
    assert said.code == 0, said.err
    assert [address.rpartition("#")[2] for address in said.row["rounds"]] == ["1", "2"]  # the third came from the next
    assert said.row["after"]["win"] == 0
