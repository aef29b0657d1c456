"""`recoup publish kafka` asked wrongly, or without a store: said before any broker is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.desk import Desk


def test_a_type_that_nobody_stores_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOUP_KAFKA_PUBLISH_TYPES", "DS.RulingAplied.v1=rulings")
    said = Desk(tmp_path).init().run("publish", "kafka", "--once")
    assert said.code == 2
    assert "no stored event is of type `DS.RulingAplied.v1`" in said.err


def test_a_setting_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    config = tmp_path / "kafka.toml"
    config.write_text('rulings_topics = "r"\n')
    said = Desk(tmp_path).init().run("publish", "kafka", "--once", "--config", str(config))
    assert said.code == 2
    assert "`rulings_topic` is one" in said.err


def test_without_a_store_it_does_not_wait_for_one(tmp_path: Path) -> None:
    said = Desk(tmp_path).run("publish", "kafka")
    assert said.code == 3
    assert "there is no log" in said.err


def test_an_address_of_metrics_that_is_none_is_refused(tmp_path: Path) -> None:
    said = Desk(tmp_path).init().run("publish", "kafka", "--metrics", "here")
    assert said.code == 2
