"""What people type and machines do at the edges: names, times of day, closed streams, sums of one."""

from __future__ import annotations

import json
import shlex
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cli import assembly
from cli.__main__ import run
from tests.cli.desk import Desk, Result, altered, lines_of

ROULETTE = assembly.rooms()["roulette"]
SESSION = "table/brno/RL-03/2026-11-28.1"


def spins(rounds: int = 3, seed: int = 1, **more: Any) -> list[bytes]:
    return lines_of(ROULETTE.deal(rounds, seed, **more))


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A store that nobody writes to."""
    desk = Desk(tmp_path_factory.mktemp("shown")).init()
    desk.ingest(spins())
    return desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path).init()
    assert desk.ingest(spins()).code == 0
    return desk.employ()


def first_of(desk: Desk, round_: str, topic: str) -> dict[str, Any]:
    rows = desk.run("replay", round_, "--json").rows
    return next(row for row in rows if row["type"] == topic)


def bet(desk: Desk, round_: str = "RL-03#2") -> str:
    return str(first_of(desk, round_, "RL.BetPlaced.v1")["record"])


def correct(desk: Desk, text: str, **more: str) -> Result:
    return desk.run("correct", bet(desk), text, "--in", "RL-03#2", "--reason", more.get("reason", "camera 4"))


# --- names and times that people type ---


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("9" * 300, "has 300 characters"),
        ("4@#~", "has `@` in it"),
        ("ř", "has U+0159 in it"),
        ("4~", "has `~` in it"),
        ("4~2", "the session has no round `4~2`"),
    ],
)
def test_a_record_cannot_be_corrected_into_what_is_no_round(shown: Desk, name: str, told: str) -> None:
    before = shown.run("status", "--json").row["rows"]
    said = correct(shown, f"#{name}")
    assert said.code == 2
    assert told in said.err
    assert shown.run("status", "--json").row["rows"] == before
    what_if = shown.run("what-if", "RL-03#2", "--add", f"#{name} NoMoreBets")
    assert (what_if.code, "round" in what_if.err) == (2, True) or name == "4~2"


def test_a_time_of_day_is_that_of_the_gaming_day(desk: Desk) -> None:
    opened = first_of(desk, "RL-03#2", "TB.RoundOpened.v1")
    clock = opened["at"][11:19]
    assert correct(desk, f"@{clock}").code == 0
    moved = next(row for row in desk.run("replay", "RL-03#2", "--json").rows if row["original"])
    assert moved["at"][:19] == opened["at"][:19]
    added = desk.run("add-fact", "RL-03#2", f"@{clock} ErrorNoted x", "--reason", "video")
    assert added.code == 0
    assert next(row for row in desk.run("replay", "RL-03#2", "--json").rows if row["added"])["at"][11:19] == clock
    assert desk.run("what-if", "RL-03#2", "--add", f"@{clock} ErrorNoted y").code == 0
    assert desk.run("what-if", "RL-03#2", "--change", f"{bet(desk)} @{clock}").code == 0
    assert correct(desk, "@29:00").code == 2


def test_an_added_fact_names_one_round(desk: Desk) -> None:
    said = desk.run("add-fact", "RL-03#2", "#3 ErrorNoted x", "--reason", "video")
    assert said.code == 2
    assert "the line says round 3, the command round 2" in said.err


def test_a_fact_added_to_a_round_opened_again_stands_there_without_its_name(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init().employ()
    desk.ingest([altered(line, round="1" if json.loads(line).get("round") == "2" else json.loads(line).get("round"))
                 if json.loads(line).get("round") else line for line in spins()])  # fmt: skip
    again = bet(desk, "RL-03#1~2")
    assert desk.run("add-fact", "RL-03#1~2", "ErrorNoted x", "--behind", again, "--reason", "video").code == 0
    assert [row["line"] for row in desk.run("replay", "RL-03#1~2", "--json").rows if row["added"]] == ["ErrorNoted x"]
    other = bet(desk, "RL-03#1")
    assert desk.run("add-fact", "RL-03#1~2", "ErrorNoted y", "--behind", other, "--reason", "video").code == 2


@pytest.mark.parametrize(
    ("reason", "told"), [("\x1b[31mred", "U+001B"), ("x" * 100_000, "100,000 characters"), ("a\u202eb", "U+202E")]
)
def test_a_reason_is_plain_and_short(shown: Desk, reason: str, told: str) -> None:
    said = correct(shown, "amount=1", reason=reason)
    assert said.code == 2
    assert told in said.err


def test_a_reason_is_one_line(desk: Desk) -> None:
    assert correct(desk, "amount=1", reason="camera 4\n  clip 12").code == 0
    assert "camera 4 clip 12" in desk.run("replay", "RL-03#2").out


def test_a_win_whose_player_no_record_names_is_told_in_a_whole_sentence(desk: Desk) -> None:
    rows = desk.run("replay", "RL-03#2", "--json").rows
    move = next(row for row in rows if row["data"].get("cause") == "take")
    said = desk.run("what-if", "RL-03#2", "--change", f"{move['record']} stake=b999")
    sentence = next(line for line in said.out.splitlines() if line.startswith("would be:"))
    assert not sentence.rstrip().endswith(" to")
    assert "somebody whom no record names" in said.out


# --- what a machine hands us ---


def through_a_shell(desk: Desk, words: str, **env: str) -> Result:
    """A command line with the shell's own redirections."""
    command = f"{shlex.join(desk.command())} {words}"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, env=desk.env(env), cwd=desk.folder)
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.parametrize("words", ["judge --all >&-", "judge --all --json >&-", "ingest - <&-", "sql - <&-"])
def test_a_closed_standard_stream_is_said_with_3(shown: Desk, words: str) -> None:
    said = through_a_shell(shown, words)
    assert said.code == 3
    assert "Traceback" not in said.err
    assert "closed" in said.err or "ad file descriptor" in said.err


def test_without_stderr_the_data_still_comes(shown: Desk) -> None:
    said = through_a_shell(shown, "judge --all 2>&-")
    assert (said.code, said.out) == (0, "3 rounds: 3 valid; 0 to look at\n")


def test_a_terminal_without_our_letters_keeps_sign_and_thousands(shown: Desk) -> None:
    said = shown.spawn("judge", "RL-03#1", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert "?" not in said.out
    assert "VALID - settled as the rules say" in said.out
    assert "b1 black    p-446    4 000  -4 000    -4 000" in said.out


def test_what_steers_a_terminal_is_shown_and_not_sent(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    assert desk.ingest([b'{"half": "\x1b[31m']).code == 5
    held = desk.run("quarantine", "list", "--json")
    shown = desk.run("quarantine", "show", held.rows[0]["sha256"])
    assert "\x1b" not in shown.out
    assert "\\x1b[31m" in shown.out


def test_ctrl_c_while_all_is_being_imported_says_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cli.app.main", interrupted)
    with pytest.raises(SystemExit) as left:
        run()
    assert left.value.code == 130
    assert capsys.readouterr().err == "stopped\n"


# --- how much of what ---


def test_one_of_a_thing_is_one(desk: Desk) -> None:
    one = spins(1, 5, table="brno/RL-09")
    said = desk.ingest([*one[:10], *one[11:]], "other.ndjson")
    assert "1 record that was counted has not come" in said.err
    assert desk.run("judge", "--table", "RL-09").out.rstrip().splitlines()[-1].startswith("1 round: ")
    assert desk.run("sql", "SELECT 1 AS one").err.splitlines()[-1] == "1 row"


def test_a_finding_between_rounds_is_in_the_sum(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    lines = spins()
    ended = next(line for line in reversed(lines) if json.loads(line)["type"] == "TB.SourceEnded.v1")
    desk.ingest([line for line in lines if line is not ended])
    said = desk.run("judge", "--all")
    assert said.code == 5
    assert said.out.rstrip().endswith("3 rounds: 3 valid; 0 to look at; 1 finding between rounds")


def test_a_session_that_cannot_be_judged_keeps_its_rounds_in_the_sum(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    desk.ingest(spins()[1:])
    said = desk.run("judge", "--all")
    assert said.code == 5
    assert f"{SESSION} (3 rounds) could not be judged: no record opens this session" in said.out
    assert said.out.rstrip().endswith("0 rounds; 3 rounds of 1 session not judged")
    assert "error" in desk.run("judge", "--all", "--json").row
    for words in (["judge", "RL-03#1"], ["replay", "RL-03#1"]):
        one = desk.run(*words)
        assert one.code == 3
        assert "bring in the file that holds it" in one.err


def test_a_file_that_is_not_there_has_nothing_before_it(desk: Desk) -> None:
    said = desk.run("ingest", "nowhere.ndjson")
    assert said.code == 3
    assert "nothing of it is stored" in said.err
    assert "what came before" not in said.err


def test_what_waits_in_quarantine_is_said_with_the_same_file_again(desk: Desk) -> None:
    desk.ingest([b"no record"], "odd.ndjson")
    again = desk.run("ingest", str(desk.folder / "odd.ndjson"))
    assert again.code == 0
    assert "1 record still waits in quarantine" in again.err


def test_a_released_conflict_says_that_both_count(desk: Desk) -> None:
    twin = next(line for line in spins() if json.loads(line)["type"] == "RL.BetPlaced.v1")
    desk.ingest([altered(twin, data={"amount": 100})], "twin.ndjson")
    entry = desk.run("quarantine", "list", "--json").rows[0]["sha256"]
    said = desk.run("quarantine", "release", entry, "--reason", "both seen on camera 4")
    assert "both count now" in said.out
    command = said.err.partition("next: recoup ")[2].split(" --reason")[0].split()
    assert desk.run(*command, "--reason", "the first was a misreading").code == 0


def test_status_says_which_counter_began_again_and_when(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    lines = spins(1)
    again = altered(lines[1], sequence="1", time="2026-11-28T23:15:00.000+01:00")
    said = desk.ingest([*lines, again])
    assert "1 source began to count again" in said.err
    assert f"began again at 2026-11-28 23:15:00: {SESSION}@/brno/RL-03/" in desk.run("status").out
    (one,) = desk.run("status", "--json").row["restarted"]
    assert one["stream"].endswith("~2")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"null", "one JSON object was expected, found null"),
        (b"[1]", "found a list"),
        (b'"x"', "found a text"),
        (altered(spins(1)[1], round="2026 11"), 'round "2026 11" has a space in it'),
        (altered(spins(1)[1], round="1#2"), 'round "1#2" has `#` in it'),
    ],
)
def test_why_a_record_is_quarantined_is_said_without_a_programmers_words(
    tmp_path: Path, line: bytes, told: str
) -> None:
    desk = Desk(tmp_path).init()
    desk.ingest([line])
    assert told in desk.run("quarantine", "list", "--json").row["detail"]


# --- which table, which day ---


def test_a_table_of_two_houses_is_named_with_its_house(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    desk.ingest([*spins(2), *spins(2, table="praha/RL-03")])
    for words in (["judge", "--table", "RL-03"], ["rounds", "--table", "RL-03"]):
        said = desk.run(*words)
        assert "`RL-03` is a table in 2 houses, all are meant: brno, praha" in said.err
    listed = desk.run("rounds", "--table", "RL-03").out
    assert "  brno/RL-03#1 " in listed
    assert "  praha/RL-03#1 " in listed
    assert "houses" not in desk.run("rounds", "--table", "brno/RL-03").err


def test_a_day_beside_a_full_address_must_be_its_own(shown: Desk) -> None:
    for words in (["judge", f"{SESSION}#1"], ["replay", SESSION]):
        said = shown.run(*words, "--day", "2026-11-27")
        assert said.code == 2
        assert "is of gaming day 2026-11-28" in said.err
        assert shown.run(*words, "--day", "2026-11-28").code == 0


def test_two_sessions_of_one_day_are_told_apart_by_their_beginning(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    lines = spins(1)
    later = [altered(line, subject=SESSION[:-1] + "2", time=json.loads(line)["time"].replace("T18:", "T21:"))
             for line in lines]  # fmt: skip
    desk.ingest([*lines, *later])
    said = desk.run("judge", "RL-03#1", "--day", "2026-11-28")
    assert said.code == 2
    assert "they began at 18:0" in said.err
    assert " and 21:0" in said.err


def test_a_record_of_another_century_is_shown_with_its_date(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    lines = spins(1)
    last = max(at for at, line in enumerate(lines) if json.loads(line).get("round") == "1")
    lines[last - 1] = altered(lines[last - 1], time="2099-01-01T00:00:00+01:00")
    desk.ingest(lines)
    assert "2099-01-01 00:00:00" in desk.run("rounds", "--table", "RL-03").out
    assert "its clock went back 26,3" in desk.run("judge", "RL-03#1").out


def test_phases_are_named_one_by_one(shown: Desk) -> None:
    said = shown.run("replay", "RL-03#1", "--at", "x")
    assert "`betting`, `betting, wheel spinning`, " in said.err


def test_known_at_is_exact_to_the_microsecond(desk: Desk) -> None:
    assert correct(desk, "amount=1").code == 0
    log = assembly.open_log(desk.store)
    at = next(fact.recorded_at for fact in log.session_facts(SESSION).facts if fact.source == "/recoup")
    log.close()

    def notes(us: int) -> int:
        when = datetime.fromtimestamp(us // 10**6, UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{us % 10**6:06d}Z"
        rows = desk.run("replay", "RL-03#2", "--known-at", when, "--json").rows
        return sum(len(row["notes"]) for row in rows)

    assert (notes(at - 1), notes(at)) == (0, 1)


def test_a_what_if_rests_on_the_event_that_was_added(shown: Desk) -> None:
    said = shown.run("what-if", "RL-03#2", "--add", "BetPlaced b99 p-1 red 100000000")
    assert "the added BetPlaced" in said.out
    assert "9007199" not in said.out


def test_a_game_or_a_book_that_nobody_knows_says_what_there_is(shown: Desk) -> None:
    there_are = f"no room is called `chess`; there are {', '.join(assembly.rooms())}"
    assert there_are in shown.run("rules", "list", "--game", "chess").err
    assert "no rule book is called `XX`; there are" in shown.run("rules", "list", "--book", "XX").err


# --- a store that somebody changed by hand ---


def by_hand(desk: Desk, statement: str) -> None:
    with sqlite3.connect(desk.store) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute(statement)
    db.close()


COMMANDS = (["judge", "--all"], ["status"], ["rounds", "--table", "RL-03"], ["replay", "RL-03#1"], ["sql", "SELECT 1"])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE stored_events SET state = CAST(state AS TEXT) WHERE rowid = 20",
        "UPDATE stored_events SET originator_version = 'x' WHERE rowid = 20",
        "UPDATE stream_heads SET seen = 'zzz'",
        "UPDATE stream_heads SET next_version = 'x'",
        "UPDATE round_segments SET first_at = 'x'",
        "UPDATE tiles SET recorded_at = 'x'",
        "UPDATE counters SET value = 'x'",
        "DELETE FROM stream_heads",
        "DELETE FROM stored_events WHERE rowid = 20",
        "UPDATE recoup_store SET schema = 'x'",
    ],
)
def test_a_store_changed_by_hand_is_said_and_never_a_traceback(desk: Desk, statement: str) -> None:
    by_hand(desk, statement)
    file = str(desk.folder / "table.ndjson")
    changed = [altered(line, data={"amount": 1}) for line in spins() if b"BetPlaced" in line]
    commands = (*COMMANDS, ["init"], ["ingest", file], ["ingest", desk.write("changed.ndjson", changed)])
    said = [desk.run(*words) for words in commands]
    # Without heads there is no index to find a round by: 2 is an honest answer.
    assert {one.code for one in said} <= {0, 3, 4, 5} | ({2} if "heads" in statement else set())
    for one in said:
        if one.code == 4:
            assert "verify" in one.err or "backup" in one.err
    assert 4 in {one.code for one in said}
    assert desk.run("verify").code == 4


def test_our_own_mistake_is_not_laid_to_a_whole_store(shown: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_words: Any, **_more: Any) -> None:
        raise KeyError("ours")

    monkeypatch.setattr("cli.judge._many", broken)
    with pytest.raises(KeyError, match="ours"):
        shown.run("judge", "--all")


def test_verify_says_how_far_it_came(desk: Desk) -> None:
    rows = desk.run("status", "--json").row["rows"]
    by_hand(desk, "UPDATE stored_events SET topic = 'x' WHERE rowid = 2")
    said = desk.run("verify")
    assert f"of {rows} rows the first is as sealed" in said.out
    assert "root" not in said.out


def test_a_torn_file_does_not_send_to_verify_from_verify(desk: Desk) -> None:
    file = Path(desk.store)
    kept = file.read_bytes()
    for beside in desk.folder.glob("desk.db-*"):
        beside.unlink()
    file.write_bytes(kept[:8192] + b"\0" * (len(kept) - 8192))
    said = desk.run("verify")
    assert said.code == 3
    assert "recoup verify" not in said.err
    assert "backup" in said.err


def test_a_disk_that_is_full_when_a_store_is_made_is_said(tmp_path: Path) -> None:
    limited = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000));"
        "from cli.app import main; sys.argv = ['recoup', 'init']; main()"
    )
    desk = Desk(tmp_path)
    done = subprocess.run([sys.executable, "-c", limited], capture_output=True, env=desk.env(), cwd=tmp_path)
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr
    assert b"disk full" in done.stderr or b"room" in done.stderr


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        (["judge", "NL-1", "1"], "a round is one word: `recoup judge NL-1#1`"),
        (["replay", "NL-1", "1"], "a round is one word: `recoup replay NL-1#1`"),
        (["replay", "NL-1#1", "--step", "8"], "`--step --at 8` walks from there on, `--at 8` shows that step"),
        (["judge", "NL-1#1", "x"], "`recoup judge --help` shows how it is meant"),
        (["why", "NL-1", "1"], "which one? as NL-1#8"),
    ],
)
def test_a_round_in_two_words_and_a_step_behind_its_option_are_understood(
    tmp_path: Path, typed: list[str], hint: str
) -> None:
    desk = Desk(tmp_path).init()
    result = desk.run(*typed)
    assert result.code == 2
    assert hint in result.err


def test_a_list_of_commands_breaks_no_sentence_off(tmp_path: Path) -> None:
    for group in ("", "dispute", "store", "seal", "staff", "quarantine", "rules", "hands"):
        shown = Desk(tmp_path).run(*filter(None, [group]), "--help", columns=80).out
        told = shown.partition("Commands:\n")[2].splitlines()
        assert told
        assert all(line.endswith((".", "?")) and "..." not in line and len(line) <= 80 for line in told), told
