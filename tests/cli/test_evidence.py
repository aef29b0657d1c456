"""`evidence` from the command line: a pack of a round or a dispute, that it is whole, and who may not have one."""

from __future__ import annotations

import hashlib
import json
import re
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli import assembly
from cli.evidence_dispute import net_of
from cli.evidence_round import result_blocks
from cli.money import signed
from events.schema.disputes import EffectSettled, Settled
from events.schema.event import to_plain
from events.schema.ours import RulingIssued
from replay.disputes.dispute import Dispute
from replay.evidence import verify
from replay.evidence.blocks import Table, plain
from tests.cli.desk import Desk, Managers, Result, lines_of
from tests.games.test_every_room import case_of, dealt, judged
from tests.replay.evidence.papers import pages

ORIGIN = "brno.example/recoup"


def sealed(folder: Path, room: str, *, breach: str | None = None, rounds: int = 2) -> Desk:
    """A desk with a session of a room in a sealed store."""
    desk = Desk(folder).init()
    dealt = assembly.rooms()[room].deal(rounds, 5, breach=breach, breach_round=1 if breach else None)
    assert desk.ingest(lines_of(dealt)).code == 0
    assert desk.run("seal", "init", "--origin", ORIGIN).code == 0
    return desk


def round_of(desk: Desk, number: int = 1) -> str:
    """The address of a round of the desk's only session."""
    return str(desk.run("rounds", "--json").rows[number - 1]["round"])


_NAME = re.compile(r'<span class="name">(.*?)</span>')


def unpacked(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def accesses(desk: Desk) -> list[dict[str, Any]]:
    """What the access trail holds of exports: the envelopes."""
    log = assembly.open_log(desk.store)
    try:
        rows = [row for subject in log.subjects("access/") for row in log.subject_rows(subject)]
    finally:
        log.close()
    return [one for one in (json.loads(row.state) for row in rows) if one["data"]["what"] == "export"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A spin at which a stake was paid wrong."""
    return sealed(tmp_path_factory.mktemp("wheel"), "roulette", breach="RL-26", rounds=3).employ()


@pytest.mark.parametrize("room", sorted(assembly.rooms()))
def test_of_every_room_a_round_is_packed_with_all_that_its_verdict_rests_on(
    room: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An outsider who has nothing but the pack checks it, and judges the records in it to the same verdict."""
    # When the next hand began decides where a wrong award belongs.
    desk = sealed(tmp_path, room, breach="NL-37" if room == "holdem" else None, rounds=3)
    address, path = round_of(desk, 2), tmp_path / "pack.zip"
    made = desk.run("evidence", address, "-o", str(path))
    assert made.code == 0, made.err
    assert verify.main([str(path)]) == 0, capsys.readouterr().out
    files = unpacked(path)
    records = [json.loads(line) for line in files["entries.ndjson"].decode().splitlines()]
    dealt = [one["state"].encode() for one in records if one["stream"].startswith("table/")]
    (tmp_path / "outside").mkdir()
    outside = Desk(tmp_path / "outside").init()
    assert outside.ingest(dealt).code == 0
    verdict = json.loads(files["verdict-1.json"])
    assert outside.run("judge", address, "--json").row["digest"] == verdict["digest"]
    assert room != "holdem" or "the next hand had been dealt" in str(verdict["findings"])
    assert desk.run("judge", address, "--json").row["digest"] == verdict["digest"]
    told = json.loads(files["timeline-1.json"])
    drawn = [one for one in told["records"] if one.get("table")]
    assert len(drawn) == len(told["records"]) > 5
    page = files["report.html"].decode()
    assert page.count("<figure>") == len(drawn)
    assert "The steps are told with its ruling" not in page


def test_a_dispute_is_packed_with_its_acts_its_ruling_and_those_who_decided(
    wheel: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = {}
    for person in ("anna", "boris"):
        line = wheel.run("staff", "key", str(tmp_path / person), "--person", person).out.strip()
        asked = wheel.run("staff", "register", person, "--key", line, "--role", "manager")
        if "proposed as" in asked.out:
            monkeypatch.setenv("RECOUP_KEY", str(keys["anna"]))
            assert wheel.run("staff", "approve", asked.out.split()[2].rstrip(":")).code == 0
            monkeypatch.delenv("RECOUP_KEY")
        keys[person] = tmp_path / person

    def act(person: str, *words: str) -> Result:
        monkeypatch.setenv("RECOUP_KEY", str(keys[person]))
        done = wheel.run(*words)
        assert done.code == 0, done.err
        return done

    said = "Žluťoučký kůň: příliš málo, řekl p-438"
    dispute = act("anna", "dispute", "open", "RL-03#2", "--claim", said, "--player", "p-438").out.split()[1]
    act("anna", "dispute", "note", dispute, "--camera", "cam-4", "--clip", "12")
    act("anna", "dispute", "judge", dispute)
    act("anna", "dispute", "propose", dispute, "--ground", "table_error", "--reason", "výplata")
    act("boris", "dispute", "approve", dispute, "--reason", "viděl jsem záběr")
    act("boris", "dispute", "issue", dispute)
    act("anna", "dispute", "settle", dispute, "p-438", "--how", "received", "--reason", "desk 1")
    act("anna", "dispute", "judge", dispute)
    act("anna", "dispute", "propose", dispute, "--ground", "table_error", "--remedy", "valid", "--reason", "přece ne")
    act("boris", "dispute", "approve", dispute, "--reason", "souhlasím")
    act("boris", "dispute", "issue", dispute)
    act("boris", "dispute", "settle", dispute, "p-438", "--how", "paid", "--reason", "desk 1")
    shown = act("anna", "dispute", "show", dispute)
    dealt = ["50 CZK paid to p-438", "50 CZK received from p-438"]
    assert shown.out.replace("\u00a0", " ").partition("dealt with so far:")[2].split("\n")[1:3] == [
        f"    {line}" for line in dealt
    ]
    assert f"recoup evidence {dispute} -o" in shown.err
    path = tmp_path / "pack.zip"
    act("anna", "evidence", dispute, "-o", str(path), "--reason", "asked for by the authority")
    assert verify.main([str(path)]) == 0, capsys.readouterr().out
    files = unpacked(path)
    acts = json.loads(files["dispute.json"])["acts"]
    assert [one["person"] for one in acts][:6] == ["anna", "anna", "anna", "anna", "boris", "boris"]
    assert json.loads(files["dispute.json"])["dealt_with"] == [
        {"player": "p-438", "how": "paid", "amount": 5000},
        {"player": "p-438", "how": "received", "amount": -5000},
    ]
    topics = [json.loads(line)["topic"] for line in files["entries.ndjson"].decode().splitlines()]
    assert topics.count("DS.RulingIssued.v1") == topics.count("DS.RulingApplied.v1") == 2
    assert topics.count("HS.StaffRegistered.v1") == 2
    paper = pages(files["report.pdf"])
    alone = json.loads(files["verdict-1.json"])["by_the_facts_alone"]
    page = files["report.html"].decode()
    assert f'<h1>Evidence: dispute <span class="name">{dispute}</span></h1>' in page, "not broken at a hyphen"
    for text in (_NAME.sub(r"\1", page), " ".join(paper).replace("\n", " ")):
        trail = text[text.index("had it judged") : text.index("proposed a ruling")]
        assert "VALID, BUT PAID WRONG" in trail
        assert "▲ RL-26 " in trail
        assert alone["digest"] in trail.replace(" ", "")
        assert said in text
        assert all(line in text.replace("\u00a0", " ") for line in dealt)
        assert "viděl jsem záběr" in text
        assert "Herní plán, živá hra" in text
    assert b"FlateDecode" not in files["report.pdf"], "compressed bytes are another machine's other bytes"
    assert len(paper) > 10
    assert all("REPLAY, not a live picture" in page and "names players" in page for page in paper)
    assert all(f"page {at} of \n{len(paper)}" in page for at, page in enumerate(paper, 1))
    for step in range(1, len([one for one in paper if "Step " in one])):
        whole = next(page for page in paper if f"Step {step} of" in page)
        assert f"REPLAY: the table after step {step}\n" in whole, "a step and its table stay on one page"
    exports = [one for one in accesses(wheel) if one["data"]["about"] == dispute]
    assert [one["reason"] for one in exports] == ["asked for by the authority"]
    beside = act("anna", "evidence", "RL-03#2", "-o", str(tmp_path / "round.zip"))
    assert f"recoup evidence {dispute} -o" in beside.err


def test_a_ruling_on_a_whole_shoe_has_every_round_that_it_reaches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = sealed(tmp_path, "blackjack", rounds=4).employ()
    opened = desk.run(
        "void", "BJ-01#3", "--scope", "shoe", "--ground", "shuffle_breach", "--standard", "proof", "--camera", "4",
        "--reason", "mísení nebylo úplné", "--json",
    )  # fmt: skip
    path = tmp_path / "pack.zip"
    made = desk.run("evidence", opened.row["dispute"], "-o", str(path))
    assert made.code == 0, made.err
    assert "steps drawn, 3 other rounds as they ended" in made.out
    assert verify.main([str(path)]) == 0
    assert "the verdicts are those by which the dispute was judged and ruled on" in capsys.readouterr().out
    files = unpacked(path)
    verdicts = [json.loads(files[f"verdict-{number}.json"])["round"].rpartition("#")[2] for number in range(1, 5)]
    assert verdicts == ["3", "1", "2", "4"]
    steps = [one for one in json.loads(files["timeline-1.json"])["records"] if one["step"]]
    page = files["report.html"].decode()
    for number in ("1", "2", "4"):
        assert f"REPLAY: the table when BJ-01, round {number} was over" in page
        assert f"<h3>BJ-01, round {number} · 18:0" in page
    assert page.count("<figure>") == len(steps) + 3
    assert "The steps are told with its ruling" not in page, "it waits still"
    moved = dict.fromkeys(opened.row["amounts"], 0)
    for number in ("1", "2", "4"):
        part = page[page.index(f"<h3>BJ-01, round {number} · ") :].partition("<figure>")[0]
        effect = part[part.index("by ruling R1 (proposed, not in force), in CZK") :]
        for player, sum_ in re.findall(r'<td>(p-\d+)</td>.*<span class="bold">([^<]*)</span></td></tr>', effect):
            moved[player] += 100 * int(re.sub("[^0-9-]", "", sum_.replace("−", "-")))
    judged = {one["player"]: 0 for one in json.loads(files["verdict-1.json"])["recorded"]["lines"]}
    for one in json.loads(files["verdict-1.json"])["recorded"]["lines"]:
        judged[one["player"]] -= one["paid"] - one["taken"]
    assert {player: amount + judged.get(player, 0) for player, amount in moved.items()} == opened.row["amounts"]
    for number in range(2, 5):
        told = json.loads(files[f"timeline-{number}.json"])["records"]
        for what in ("table", "places", "players"):
            assert [one["step"] for one in told if what in one] == [len(told)], "the table at its end, all records"
        assert sum(len(one["moved"]) for one in told) > len(told) / 4
    assert (
        desk.run("disown", steps[4]["record"].replace("/brno/BJ-01/", ""), "--in", "BJ-01#3", "--reason", "x").code == 0
    )
    assert desk.run("evidence", opened.row["dispute"], "-o", str(tmp_path / "later.zip")).code == 0
    assert verify.main([str(tmp_path / "later.zip")]) == 0
    assert "MIND: since the dispute was judged" in capsys.readouterr().out


class Shoe:
    """A void of a shoe that was paid out and then replaced, its pack made by two managers."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.desk = Desk(folder).init()
        records = assembly.rooms()["blackjack"].deal(3, 5, breach="BJ-08", table="brno/BJ-01")
        assert self.desk.ingest(lines_of(records)).code == 0
        assert self.desk.run("seal", "init", "--origin", ORIGIN).code == 0
        self.managers = Managers(self.desk, folder, monkeypatch)
        self.dispute = self.act("anna", "open", "BJ-01#2", "--claim", "mísení nebylo úplné").out.split()[1]
        words = ("--ground", "shuffle_breach", "--standard", "proof", "--reason", "záběr 4")
        self.act("anna", "note", self.dispute, "--camera", "cam-4")
        self.paid = self.ruled(*words, "--remedy", "void", "--scope", "shoe")
        assert self.desk.run("evidence", self.dispute, "-o", str(folder / "first.zip")).code == 0
        self.first = unpacked(folder / "first.zip")
        self.waived = next(player for player, amount in self.paid.items() if amount < 0)
        for player, amount in self.paid.items():
            how = "waived" if player == self.waived else "paid" if amount > 0 else "received"
            self.act("anna", "settle", self.dispute, player, "--how", how, "--reason", "u pokladny 1")
        assert self.ruled(*words, "--remedy", "valid") == {}
        self.path = folder / "pack.zip"
        packed = self.desk.run("evidence", self.dispute, "-o", str(self.path))
        assert packed.code == 0, packed.err
        self.files = unpacked(self.path)

    def act(self, person: str, what: str, *words: str) -> Result:
        done = self.managers.run(person, "dispute", what, *words)
        assert done.code == 0, done.err
        return done

    def ruled(self, *words: str) -> dict[str, int]:
        """Judged, proposed, approved and issued; the amounts."""
        self.act("anna", "judge", self.dispute)
        made = self.act("anna", "propose", self.dispute, *words, "--json")
        self.act("boris", "approve", self.dispute, "--reason", "viděno")
        self.act("boris", "issue", self.dispute)
        return dict(made.row["amounts"])


@pytest.fixture(scope="module")
def shoe(tmp_path_factory: pytest.TempPathFactory) -> Shoe:
    with pytest.MonkeyPatch.context() as monkeypatch:
        return Shoe(tmp_path_factory.mktemp("shoe"), monkeypatch)


def test_a_replaced_ruling_shows_its_amounts_as_reversed_and_the_net_of_each_player(
    shoe: Shoe, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(shoe.paid) > 1
    assert verify.main([str(shoe.path)]) == 0, capsys.readouterr().out
    told = json.loads(shoe.files["dispute.json"])
    first, second = told["rulings"]
    assert (first["reversed"], first["state"], first["amounts"]) == (True, "reversed by R2", shoe.paid)
    assert (second["reversed"], second["state"], second["amounts"]) == (False, "in force", {})
    back = {player: amount for player, amount in shoe.paid.items() if player != shoe.waived}
    assert told["net"] == {
        shoe.waived: {"in_force": 0, "moved": 0, "given_up": shoe.paid[shoe.waived], "open": 0},
        **{player: {"in_force": 0, "moved": sum_, "given_up": 0, "open": -sum_} for player, sum_ in back.items()},
    }
    assert told["open_amounts"] == {player: -amount for player, amount in back.items()}
    page = shoe.files["report.html"].decode()
    assert page.count("REVERSED by R2") == len(shoe.paid)
    for player, amount in back.items():
        plus, minus = signed(amount), signed(-amount)
        cells = [player, f'<span class="dim">{plus}</span>', "0", plus, "0", f'<span class="bold">{minus}</span>']
        first, *rest = cells
        net = f"<td>{first}</td>" + "".join(f'<td class="right">{cell}</td>' for cell in rest)
        assert net in page, "ruled and reversed, not ruled, paid, nothing given up, goes back"
    # The round that only the replaced ruling reached is in the pack, and drawn.
    rounds = [one["round"].rpartition("#")[2] for one in json.loads(shoe.files["pack.json"])["rounds"]]
    assert rounds == ["2", "1"]
    assert "reached by R1, reversed" in page
    assert "for all its rounds together" not in page
    assert "REPLAY: the table when BJ-01, round 1 was over" in page


def test_steps_that_are_told_with_a_later_ruling_say_so(shoe: Shoe) -> None:
    """Void in the first pack; in the second the table's result stands, as by the facts alone."""
    said = [
        files["report.html"].decode().count("The steps are told with its ruling") for files in (shoe.first, shoe.files)
    ]
    assert said == [1, 0]


def test_every_judgement_of_a_dispute_is_told_with_its_standing_and_digest(shoe: Shoe) -> None:
    """Twice: before the first ruling, and before the one that replaced it."""
    judged = [act["judged"] for act in json.loads(shoe.files["dispute.json"])["acts"] if "judged" in act]
    alone = json.loads(shoe.files["verdict-1.json"])["by_the_facts_alone"]
    own = {"round": alone["round"], "digest": alone["digest"], "standing": alone["standing"]}
    assert [[one | own for one in told] for told in judged] == judged
    assert [len(told) for told in judged] == [1, 1]


def test_what_was_judged_before_the_facts_changed_is_told_as_it_was_then(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = sealed(tmp_path, "roulette", breach="RL-26").employ()
    dispute = desk.run("dispute", "open", "RL-03#2", "--claim", "x").out.split()[1]
    assert desk.run("dispute", "judge", dispute).code == 0
    before = desk.run("judge", "RL-03#2", "--json").row
    bet = next(row for row in desk.run("replay", "RL-03#2", "--json").rows if row["type"] == "RL.BetPlaced.v1")
    cite = bet["record"].replace("/brno/RL-03/", "")
    assert desk.run("disown", cite, "--in", "RL-03#2", "--reason", "x").code == 0
    after = desk.run("judge", "RL-03#2", "--json").row
    assert after["digest"] != before["digest"]
    path = tmp_path / "pack.zip"
    assert desk.run("evidence", dispute, "-o", str(path)).code == 0
    assert verify.main([str(path)]) == 0, capsys.readouterr().out
    acts = json.loads(unpacked(path)["dispute.json"])["acts"]
    (judged,) = next(act["judged"] for act in acts if "judged" in act)
    assert (judged["digest"], judged["standing"]) == (before["digest"], before["standing"])


def test_a_changed_byte_of_a_pack_with_rulings_and_many_rounds_is_found_and_named(
    shoe: Shoe, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw, path = shoe.path.read_bytes(), tmp_path / "changed.zip"
    assert {"dispute.json", "timeline-2.json", "verdict-2.json"} <= set(shoe.files)
    for name, data in shoe.files.items():
        changed = bytearray(raw)
        changed[raw.index(name.encode() + data) + len(name) + len(data) // 2] ^= 1
        path.write_bytes(changed)
        assert verify.main([str(path)]) == 1, name
        assert f"  {name}: " in capsys.readouterr().out


_SUMS = st.dictionaries(st.sampled_from(["p-1", "p-2"]), st.integers(-5, 5))


@given(
    st.lists(_SUMS, max_size=3),
    st.lists(st.tuples(st.sampled_from(["p-1", "p-3"]), st.integers(-5, 5), st.sampled_from(get_args(Settled)))),
)
def test_the_verifier_nets_as_the_dispute_does(
    ruled: list[dict[str, int]], done: list[tuple[str, int, Settled]]
) -> None:
    issued = tuple(RulingIssued(f"d.R{at}", "x", amounts=amounts) for at, amounts in enumerate(ruled, 1))
    settled = tuple(EffectSettled("d.R1", player, amount, how) for player, amount, how in done)
    dispute = Dispute(id="d", issued=issued, settled=settled)
    assert verify.net_of(ruled, len(ruled), [to_plain(one) for one in settled]) == net_of(dispute)


def _first_ruling(told: Any) -> Any:
    return told["rulings"][0]


LIES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "another amount": (
        "is told otherwise than it was recorded",
        lambda told: _first_ruling(told)["amounts"].update(x=1),
    ),
    "still counts": ("is told not to be reversed", lambda told: _first_ruling(told).update(reversed=False)),
    "a ruling less": ("leaves out a ruling", lambda told: told["rulings"].pop()),
    "all is paid": ("another net of the players", lambda told: [own.update(open=0) for own in told["net"].values()]),
    "judged otherwise": (
        "to have judged otherwise",
        lambda told: next(act for act in told["acts"] if "judged" in act)["judged"][0].update(digest="0" * 64),
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_the_acts_do_not_come_to_is_found_though_the_house_itself_wrote_it(shoe: Shoe, lie: str) -> None:
    told, change = LIES[lie]
    dispute = json.loads(shoe.files["dispute.json"])
    change(dispute)
    pack = verify.Pack({**shoe.files, "dispute.json": json.dumps(dispute).encode()})
    pack.check()
    assert any(one.where == "dispute.json" and told in one.what for one in pack.wrong), pack.wrong


@pytest.mark.parametrize("room", ["holdem", "roulette", "blackjack"])
def test_the_result_of_a_round_names_everybody_who_won_or_lost(room: str) -> None:
    verdict = judged(case_of(dealt(room, 2, 5))).verdicts[1]
    tables = [block for block in result_blocks(verdict) if isinstance(block, Table)]
    named = " ".join(plain(cell) for table in tables for row in table.rows for cell in row)
    assert verdict.recorded is not None
    players = {line.player for line in verdict.due.lines if line.net}
    assert len(players) > 1
    assert all(player in named for player in players)
    assert ("rake" in named) == (room == "holdem")


def test_of_many_disputed_rounds_only_the_first_are_drawn_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = sealed(tmp_path, "blackjack", rounds=3).employ()
    dispute = desk.run("dispute", "open", "BJ-01#2", "BJ-01#1", "BJ-01#3", "--claim", "x").out.split()[1]
    steps = {name: len(desk.run("replay", f"BJ-01#{name}", "--json").rows) for name in ("1", "2", "3")}
    monkeypatch.setattr("cli.evidence_cases._STEPS", steps["2"] + steps["1"])
    assert desk.run("evidence", dispute, "-o", str(tmp_path / "pack.zip")).code == 0
    page = unpacked(tmp_path / "pack.zip")["report.html"].decode()
    assert page.count("<figure>") == steps["2"] + steps["1"] + 1
    assert "REPLAY: the table when BJ-01, round 3 was over" in page


def test_a_session_that_is_folded_once_gives_the_same_pack_as_round_by_round(
    shoe: Shoe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shoe of many rounds is walked through once; that is a matter of time and of nothing else."""
    monkeypatch.setattr("cli.evidence_cases._SEVERAL", 0)
    assert shoe.desk.run("evidence", shoe.dispute, "-o", str(tmp_path / "pack.zip")).code == 0
    assert (tmp_path / "pack.zip").read_bytes() == shoe.path.read_bytes()


def test_the_same_log_gives_the_same_bytes_whatever_the_machine(wheel: Desk, tmp_path: Path) -> None:
    """Made in two processes, at two times, the log grown by the first one's access event meanwhile."""
    packs = []
    for number, env in enumerate(
        (
            {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "COLUMNS": "40", "LC_ALL": "C"},
            {"PYTHONHASHSEED": "777", "TZ": "America/Lima", "COLUMNS": "220", "LC_ALL": "C.UTF-8"},
        )
    ):
        path = tmp_path / f"{number}.zip"
        made = wheel.spawn("evidence", "RL-03#1", "-o", str(path), "--json", env=env)
        assert made.code == 0, made.err
        assert made.row["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
        packs.append(path.read_bytes())
    assert packs[0] == packs[1]
    assert b"AC.Accessed" not in packs[0]
    assert len([one for one in accesses(wheel) if one["data"]["about"].endswith("RL-03/2026-11-28.1#1")]) == 2


def test_what_was_corrected_disowned_and_added_is_told_and_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = sealed(tmp_path, "roulette").employ("novakova")
    told = desk.run("replay", "RL-03#1", "--json").rows
    bets = [row["record"].replace("/brno/RL-03/", "") for row in told if row["type"] == "RL.BetPlaced.v1"]
    for words in (
        ("correct", bets[0], "@18:00:40.250", "--in", "RL-03#1", "--reason", "hodiny"),
        ("correct", bets[1], "#2", "--in", "RL-03#1", "--reason", "patří do kola 2"),
        ("disown", bets[2], "--in", "RL-03#1", "--reason", "dvakrát"),
        ("add-fact", "RL-03#1", "BetPlaced b99 p-7 17 50", "--behind", bets[0], "--reason", "kamera 4"),
    ):
        done = desk.run(*words)
        assert done.code == 0, done.err
    for name in ("1", "2"):
        path = tmp_path / f"{name}.zip"
        assert desk.run("evidence", f"RL-03#{name}", "-o", str(path)).code == 0
        assert verify.main([str(path)]) == 0, capsys.readouterr().out
    page = unpacked(tmp_path / "1.zip")["report.html"].decode()
    assert "by novakova: hodiny" in page
    assert "DISOWNED: " in page
    assert "ADDED: " in page
    assert "by novakova: patří do kola 2" in unpacked(tmp_path / "2.zip")["report.html"].decode()


def test_a_claim_that_hides_letters_or_writes_html_is_shown_and_does_nothing(wheel: Desk, tmp_path: Path) -> None:
    claim = "<script>alert(1)</script> \u202e obráceně 漢"
    dispute = wheel.run("dispute", "open", "RL-03#3", "--claim", claim).out.split()
    if len(dispute) < 2:
        claim = "<script>alert(1)</script> 漢"
        dispute = wheel.run("dispute", "open", "RL-03#3", "--claim", claim).out.split()
    path = tmp_path / "pack.zip"
    assert wheel.run("evidence", dispute[1], "-o", str(path)).code == 0
    files = unpacked(path)
    page = files["report.html"].decode()
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "漢" in page
    assert "[U+6F22]" in " ".join(pages(files["report.pdf"]))


def test_a_pack_needs_a_seal_and_its_key_to_be_nobody_elses(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    assert desk.ingest(lines_of(assembly.rooms()["roulette"].deal(1, 1))).code == 0
    path = tmp_path / "pack.zip"
    none = desk.run("evidence", "RL-03#1", "-o", str(path))
    assert none.code == 3
    assert "recoup seal init --origin NAME" in none.err
    assert desk.run("seal", "init", "--origin", ORIGIN).code == 0
    (key,) = (tmp_path / "desk.db.seal").glob("key-*.pem")
    key.chmod(0o640)
    read = desk.run("evidence", "RL-03#1", "-o", str(path))
    assert read.code == 3
    assert "can be read by others" in read.err
    assert not path.exists()
    assert accesses(desk) == []
    key.chmod(0o600)
    made = desk.run("evidence", "RL-03#1", "-o", str(path))
    assert made.code == 0, made.err
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_records_that_no_checkpoint_covers_are_sealed_first(tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    witness.mkdir()
    desk = Desk(tmp_path).init()
    assert desk.run("seal", "init", "--origin", ORIGIN, "--witness", str(witness)).code == 0
    assert desk.ingest(lines_of(assembly.rooms()["roulette"].deal(1, 1))).code == 0
    made = desk.run("evidence", "RL-03#1", "-o", str(tmp_path / "a.zip"), "--json")
    assert "a checkpoint was signed for it" in made.err
    assert (witness / "brno.example_recoup" / f"{made.row['checkpoint']:016d}.checkpoint").is_file()
    again = desk.run("evidence", "RL-03#1", "-o", str(tmp_path / "b.zip"), "--json")
    assert "a checkpoint was signed" not in again.err
    assert again.row["sha256"] == made.row["sha256"]
    assert desk.run("seal", "checkpoint", "--json").row["size"] > made.row["checkpoint"]
    later = desk.run("evidence", "RL-03#1", "-o", str(tmp_path / "later.zip"), "--json")
    assert later.row["sha256"] == made.row["sha256"]
    witness.rename(tmp_path / "away")
    assert desk.ingest(lines_of(assembly.rooms()["roulette"].deal(1, 2, table="brno/RL-9")), "b.ndjson").code == 0
    gone = desk.run("evidence", "RL-9#1", "-o", str(tmp_path / "c.zip"))
    assert gone.code == 3
    assert "was not written" in gone.err
    assert (tmp_path / "c.zip").is_file()


def test_nothing_is_packed_that_the_trail_cannot_tell_of(
    wheel: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_given: object, **_named: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("events.store.Log.author", full)
    refused = wheel.run("evidence", "RL-03#1", "-o", str(tmp_path / "pack.zip"))
    assert refused.code == 3
    assert "the access trail cannot be written" in refused.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_stays_and_a_name_that_is_none_is_said(wheel: Desk, tmp_path: Path) -> None:
    path = tmp_path / "pack.zip"
    path.write_text("mine")
    other = wheel.run("evidence", "RL-03#1", "-o", str(path))
    assert (other.code, path.read_text()) == (2, "mine")
    assert "is there already" in other.err
    path.unlink()
    assert wheel.run("evidence", "RL-03#1", "-o", str(path)).code == 0
    same = wheel.run("evidence", "RL-03#1", "-o", str(path))
    assert same.code == 0
    assert "the very same" in same.out
    for words, told in (
        (("2020-01-01.9", "-o", str(tmp_path / "x.zip")), "is no dispute and no round"),
        (("RL-03#77", "-o", str(tmp_path / "x.zip")), "has a round `77`"),
        (("RL-03#1", "-o", str(tmp_path)), "is a folder"),
        (("RL-03#1", "-o", str(tmp_path / "no" / "x.zip")), "there is no folder"),
    ):
        said = wheel.run("evidence", *words)
        assert said.code == 2, said
        assert told in said.err
        assert "Traceback" not in said.err


def test_a_row_that_was_changed_in_the_store_is_packed_for_nobody(tmp_path: Path) -> None:
    """Whoever changes the store, its tree and all, is found by what was signed."""
    import sqlite3

    desk = sealed(tmp_path, "roulette")
    assert desk.run("evidence", "RL-03#1", "-o", str(tmp_path / "good.zip")).code == 0
    base = sqlite3.connect(desk.store)
    for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        base.execute(f"DROP TRIGGER {name}")
    base.execute(
        "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), '\"amount\":', '\"amount\":1') AS BLOB) "
        "WHERE topic = 'RL.BetPlaced.v1'"
    )
    base.commit()
    base.close()
    refused = desk.run("evidence", "RL-03#1", "-o", str(tmp_path / "bad.zip"))
    assert refused.code == 4
    assert "is not what was sealed" in refused.err
    assert not (tmp_path / "bad.zip").exists()
