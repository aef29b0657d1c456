"""Every command with its name: the one list of what `recoup` can do."""

from __future__ import annotations

import typer

from cli import disputing, editions, hands, publishing, quarantine, rules, sealing, staff, store_keeping, views
from cli.access import access
from cli.asking import ask, rate
from cli.catalogue import schema
from cli.collusion import collusion
from cli.dealing import dealer, dealer_night
from cli.demo import demo
from cli.evidence import evidence
from cli.ingest import ingest, ingest_kafka
from cli.judge import judge
from cli.night import night, sign
from cli.records import add_fact, correct, disown
from cli.replaying import replay
from cli.rounds import rounds
from cli.searching import find
from cli.sending import send_kafka
from cli.store import declare_lost, gaps, init, status, unread
from cli.verifying import verify
from cli.views import sql
from cli.whatif import what_if
from cli.why import why


def register(app: typer.Typer) -> None:
    """Gives the application its commands, in the order in which a person needs them."""
    app.command()(init)
    app.command()(ingest)
    app.command("ingest kafka")(ingest_kafka)
    app.command("send kafka")(send_kafka)
    hands.app.command()(find)
    app.add_typer(hands.app, name="hands")
    app.command()(status)
    app.command()(gaps)
    app.command("declare-lost")(declare_lost)
    app.command()(unread)
    app.add_typer(quarantine.app, name="quarantine")
    app.command()(rounds)
    app.command()(judge)
    app.command()(replay)
    app.command()(why)
    app.command("what-if")(what_if)
    app.command()(correct)
    app.command()(disown)
    app.command("add-fact")(add_fact)
    app.add_typer(disputing.app, name="dispute")
    app.command()(disputing.void)
    app.command()(night)
    app.command("night sign")(sign)
    app.command()(evidence)
    app.command()(collusion)
    app.command()(access)
    app.add_typer(rules.app, name="rules")
    app.add_typer(editions.app, name="editions")
    app.command()(ask)
    app.command()(rate)
    app.command()(sql)
    app.add_typer(views.app, name="views")
    app.command()(verify)
    app.add_typer(sealing.app, name="seal")
    app.add_typer(staff.app, name="staff")
    app.add_typer(store_keeping.app, name="store")
    app.add_typer(publishing.app, name="publish")
    app.command()(schema)
    app.command()(dealer)
    app.command("dealer night")(dealer_night)
    app.command()(demo)
