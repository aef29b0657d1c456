"""The second half of the demo: two managers rule, the log is sealed, the night is reconciled, a complaint is packed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

from msgspec import Struct

from cli import assembly, failures, screen
from cli.evening import DAY, Dealt
from cli.screen import Words
from events.errors import Unable
from events.values.money import money_text
from games.picture import Span

_MANAGERS = ("novakova", "dvorak")
_KEY = "RECOUP_KEY"
_SHOE = "BJ-1#2"
_PACK, _NIGHT = "complaint.zip", "night.html"


class Settled(Struct, frozen=True):
    """What came of it all, for the last screen."""

    lines: list[Words]


def managed(wheel: Dealt, cards: Dealt, player: str) -> Settled:
    """Three rulings, the seal, the night's page and a pack that was checked; all in the current folder.

    `player` complained of the spin that went wrong at the wheel.
    """
    before = os.environ.get(_KEY)
    try:
        _staff()
        first = _complaint(f"RL-03#{wheel.name}", player)
        shoe = _shoe()
        hands = _hands(cards)
    finally:
        if before is None:
            os.environ.pop(_KEY, None)
        else:
            os.environ[_KEY] = before
    say("The log is sealed, a copy of the checkpoint goes to a witness; then the gaming day is reconciled.")
    Path("witness").mkdir()
    run("seal", "init", "--origin", "brno.example/recoup", "--witness", str(Path("witness").resolve()))
    run("night", DAY, "--html", _NIGHT)
    say(f"{player} wants it in writing: everything about the complaint in one file, checked without Recoup.")
    run("evidence", first, "-o", _PACK, "--reason", "asked for by the player")
    _checked()
    return Settled([
        *(line for dispute in (first, shoe, hands) for line in _came(dispute)),
        ["  the night's page  ", Span(str(Path(_NIGHT).resolve()), "bold")],
        ["  the checked pack  ", Span(str(Path(_PACK).resolve()), "bold")],
    ])  # fmt: skip


def _staff() -> None:
    from cli.acting import load_personal_key
    from events.seal import VerifierKey

    say("The managers' turn. Each has a personal key; what one proposes, another decides.")
    for name in _MANAGERS:
        run("staff", "key", f"{name}.pem", "--person", name)
    for name in _MANAGERS:
        key = str(VerifierKey(name, load_personal_key(Path(f"{name}.pem")).verifier.public))
        with _as(_MANAGERS[0]):
            run("staff", "register", name, "--key", key, "--role", "manager", "--house", "brno", "--from", "2026-11-01")


def _complaint(round_: str, player: str) -> str:
    """The wheel's complaint from its first word to the issued ruling."""
    say("The first complaint is ruled on: what was due is paid, what was paid too much is owed.")
    with _as("novakova"):
        run("dispute", "open", round_, "--claim", "the wheel ran the same way as before", "--player", player)
        dispute = _newest()
        run("dispute", "note", dispute, "--camera", "cam-4", "--clip", "12", "--hold", "footage:cam-4")
        run("dispute", "judge", dispute)
        run("dispute", "propose", dispute, "--ground", "wheel_not_alternated", "--reason", "camera 4 shows it")
    _decided(dispute, "seen the clip")
    with _as("novakova"):
        run("dispute", "settle", dispute, player, "--how", "paid", "--slip", "4711", "--reason", "at desk 1")
        run("dispute", "tell", dispute, player, "--how", "desk")
    return dispute


def _shoe() -> str:
    say("Camera 7 shows that the shoe at BJ-1 was not shuffled as the book has it: every round dealt from it is void.")
    with _as("novakova"):
        run(
            "void", _SHOE, "--scope", "shoe", "--ground", "shuffle_breach", "--standard", "proof", "--camera", "cam-7",
            "--reason", "the cards were not washed",
        )  # fmt: skip
        dispute = _newest()
    _decided(dispute, "seen camera 7")
    return dispute


def _hands(cards: Dealt) -> str:
    """A collusion ruling on two hands that it lists."""
    names = list(dict.fromkeys(one.round for one in cards.records if one.round))
    first, second = (f"NL-1#{name}" for name in names[2:4])
    say("Surveillance reports that two at NL-1 play one purse: the hands that it lists are called off.")
    with _as("novakova"):
        run("dispute", "open", first, "--claim", "p-1 and p-8 play one purse", "--channel", "surveillance")
        dispute = _newest()
        run("dispute", "judge", dispute)
        run(
            "dispute", "propose", dispute, "--remedy", "void", "--ground", "collusion_players", "--standard",
            "suspicion", "--scope", "hand", "--round", first, "--round", second, "--reason", "they fold to each other",
        )  # fmt: skip
    _decided(dispute, "seen the hands")
    return dispute


def _decided(dispute: str, reason: str) -> None:
    with _as("dvorak"):
        run("dispute", "approve", dispute, "--reason", reason)
        run("dispute", "issue", dispute)


def _checked() -> None:
    """The pack's own verifier on the pack, as an outsider runs it.

    Raises:
        Unable: it finds a fault.
    """
    with ZipFile(_PACK) as pack:
        Path("verify.py").write_bytes(pack.read("verify.py"))
    screen.say(["", Span(f"$ python verify.py {_PACK}", "bold")])
    done = subprocess.run([sys.executable, "verify.py", _PACK], capture_output=True, text=True, check=False)
    screen.say_all([line] for line in done.stdout.splitlines())
    if done.returncode:
        raise Unable(f"the pack does not verify: {done.stdout}{done.stderr}")


def _came(name: str) -> Iterator[Words]:
    """A ruling in two lines: what it was, and what it moves."""
    from replay.disputes.dispute import read_dispute

    with assembly.open_log() as log:
        dispute = read_dispute(log, name)
    ruling = dispute.in_force
    assert ruling is not None
    owed = sum(amount for amount in ruling.amounts.values() if amount > 0)
    owes = -sum(amount for amount in ruling.amounts.values() if amount < 0)
    rounds = screen.number(len(ruling.rounds), "round")
    yield ["  ", Span(f"{name}  {ruling.remedy} of {rounds} for {ruling.ground}", "bold")]
    yield [f"    players get {money_text(owed, 'CZK')}, players owe {money_text(owes, 'CZK')}"]


def _newest() -> str:
    from replay.disputes.dispute import disputes

    with assembly.open_log() as log:
        return max((one.acts[0].at, one.id) for one in disputes(log))[1]


@contextmanager
def _as(person: str) -> Iterator[None]:
    """As that person, by the personal key that he has."""
    os.environ[_KEY] = f"{person}.pem"
    screen.say(["", Span(f"[{person}: {_KEY}={person}.pem]", "dim")])
    yield


def say(text: str) -> None:
    """A heading in plain words."""
    screen.say("")
    screen.say_all([Span(line, "gold")] for line in screen.wrapped(text, "", "## "))


def run(*words: str) -> None:
    """One command as a person would type it, its line shown before it.

    Raises:
        Unable: it did not do what it does in every demo.
    """
    from cli.app import run as type_in

    shown = " ".join(f"'{word}'" if set(word) & set(" #+") else word for word in words)
    screen.say(["", Span(f"$ recoup {shown}", "bold")])
    code = type_in(list(words))
    if code not in (failures.FINE, failures.FOUND_SOMETHING):
        raise Unable(f"`recoup {shown}` ended with {code}, which no demo should")
