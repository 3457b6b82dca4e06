"""What the history must do on every database. Inherit `HistoryContract` and give it the fixture `url`, empty."""

from __future__ import annotations

import multiprocessing
import random
from dataclasses import replace

import numpy as np
import pytest
import sqlalchemy as sql

from pytest_ascend_tune.model.confirmation import Confirmation
from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.verdict import GateStatus
from pytest_ascend_tune.records.history import tables as historytables
from pytest_ascend_tune.records.history.store import History
from tests import factories

NOW = "2026-11-30T08:31:00Z"
PLACE = ("910B1", "catlass_gemm")


def append_many(url, start, number):
    start.wait()
    history = History(url)
    history.check()
    for step in range(5):
        history.append(factories.every_status(count=3), run=f"writer-{number}-{step}", recorded_at=NOW)


class HistoryContract:
    """Fixture to provide: `url` of an empty database."""

    @pytest.fixture
    def url(self) -> str:
        raise NotImplementedError

    @pytest.fixture
    def history(self, url) -> History:
        history = History(url)
        history.check()
        return history

    def test_checking_twice_changes_nothing(self, history, url):
        history.check()
        History(url).check()
        assert history.trend(*PLACE, "1x1x1-int8-nn") == ()

    def test_every_status_can_be_added(self, history):
        results = factories.every_status(count=5)
        history.append(results, run="r1", recorded_at=NOW)
        for result in results:
            points = history.trend(*PLACE, result.tuning.problem.id)
            if result.status is GateStatus.NOTHING_VALID:
                assert points == (), "what was not measured is no point of a trend"
                continue
            (point,) = points
            confirmed = result.confirmation
            assert (point.run, point.recorded_at, point.status) == ("r1", NOW, result.status)
            assert point.tflops == pytest.approx(confirmed.tflops)
            assert point.efficiency_share == pytest.approx(confirmed.efficiency_share)
            assert point.vs_reference == pytest.approx(confirmed.vs_reference)
            if confirmed.comparison:
                assert point.vs_baseline == pytest.approx(confirmed.comparison.ratio)
            else:
                assert point.vs_baseline is None

    def test_a_trend_holds_the_newest_oldest_first_of_one_problem_only(self, history):
        result = factories.gate_result(count=3)
        for number in range(6):
            history.append([result, factories.gate_result(count=3, device="910B2")], run=f"r{number}", recorded_at=NOW)
        place = (*PLACE, result.tuning.problem.id)
        assert [point.run for point in history.trend(*place, limit=4)] == ["r2", "r3", "r4", "r5"]
        assert len(history.trend("910B2", place[1], place[2])) == 6
        assert history.trend("910B3", place[1], place[2]) == ()

    def test_results_of_one_run_may_come_one_after_the_other(self, history, url):
        for number in (1, 2, 3):
            history.append([factories.gate_result(count=3)], run="r1" if number < 3 else "r2", recorded_at=NOW)
        assert self.count(url, historytables.runs) == 2
        place = (*PLACE, factories.gate_result(count=3).tuning.problem.id)
        assert [point.run for point in history.trend(*place)] == ["r1", "r1", "r2"]

    def test_no_results_make_no_run(self, history, url):
        history.append([], run="r1", recorded_at=NOW)
        assert self.count(url, historytables.runs) == 0

    def test_numbers_of_numpy_and_odd_texts_are_taken(self, history):
        result = factories.gate_result(count=3, nodeid="测试::test[<b>'\"; DROP TABLE ascend_tune_runs; --\\N]")
        confirmed: Confirmation = replace(result.confirmation, peak_tflops=np.float64(353.9))
        comparison = replace(confirmed.comparison, ratio=np.float64(0.5), interval=(np.float64(0.4), np.float64(0.6)))
        result = replace(result, tuning=replace(result.tuning, confirmed=replace(confirmed, comparison=comparison)))
        history.append([result], run="r1", recorded_at=NOW)
        assert history.trend(*PLACE, result.tuning.problem.id)[0].vs_baseline == 0.5

    def test_a_run_is_added_whole_or_not_at_all(self, history, url):
        good = factories.gate_result(count=3)
        bad = replace(good, nodeid=None)
        with pytest.raises(RecordError):
            history.append([good, bad], run="r1", recorded_at=NOW)
        assert self.count(url, historytables.runs) == self.count(url, historytables.results) == 0

    def test_concurrent_writers_lose_nothing(self, url):
        context = multiprocessing.get_context("spawn")
        start = context.Event()
        writers = [context.Process(target=append_many, args=(url, start, number)) for number in range(2)]
        for writer in writers:
            writer.start()
        start.set()
        for writer in writers:
            writer.join(120)
            assert writer.exitcode == 0
            writer.close()
        assert self.count(url, historytables.runs) == 10
        assert self.count(url, historytables.results) == 10 * len(factories.STATUSES)
        assert self.count(url, historytables.schema) == 1

    def test_an_older_schema_is_upgraded_with_its_rows(self, history, url, monkeypatch):
        result = factories.gate_result(count=3)
        history.append([result], run="r1", recorded_at=NOW)

        def widen(connection):
            connection.execute(sql.text("ALTER TABLE ascend_tune_runs ADD COLUMN branch VARCHAR(80)"))

        monkeypatch.setattr(historytables, "UPGRADES", (*historytables.UPGRADES, widen))
        monkeypatch.setattr(historytables, "SCHEMA", historytables.SCHEMA + 1)
        History(url).check()
        History(url).check()
        assert len(History(url).trend(*PLACE, result.tuning.problem.id)) == 1
        with self.engine(url).connect() as connection:
            assert connection.execute(sql.text("SELECT branch FROM ascend_tune_runs")).all() == [(None,)]
            assert historytables.version(connection) == historytables.SCHEMA

    def test_a_failed_upgrade_leaves_the_old_schema(self, history, url, monkeypatch):
        def fail(connection):
            connection.execute(sql.text("ALTER TABLE ascend_tune_runs ADD COLUMN branch VARCHAR(80)"))
            connection.execute(sql.text("ALTER TABLE no_such_table ADD COLUMN x VARCHAR(80)"))

        with monkeypatch.context() as patch:
            patch.setattr(historytables, "UPGRADES", (*historytables.UPGRADES, fail))
            patch.setattr(historytables, "SCHEMA", historytables.SCHEMA + 1)
            with pytest.raises(RecordError, match="no_such_table"):
                History(url).check()
        columns = {column["name"] for column in sql.inspect(self.engine(url)).get_columns("ascend_tune_runs")}
        assert "branch" not in columns
        history.append([factories.gate_result(count=3)], run="r1", recorded_at=NOW)

    def test_a_newer_schema_is_refused_and_left_as_it_is(self, history, url):
        with self.engine(url).begin() as connection:
            connection.execute(historytables.schema.update().values(version=99))
        for action in (
            history.check,
            lambda: history.append([factories.gate_result(count=3)], run="r1", recorded_at=NOW),
            lambda: history.trend(*PLACE, "1x1x1-int8-nn"),
        ):
            with pytest.raises(RecordError, match=r"schema 99 is from a newer version.*Upgrade"):
                action()
        assert self.count(url, historytables.runs) == 0

    def test_a_trend_uses_the_index(self, url, history):
        """Not a full scan: what makes a trend over many rows quick. (Its time is in benchmarks/history.)"""
        generator = random.Random(1)
        history.append([factories.gate_result(count=2)], run="r", recorded_at=NOW)
        with self.engine(url).begin() as connection:
            row = connection.execute(sql.select(historytables.results)).mappings().one()
            rows = [
                {**row, "id": None, "problem_id": f"p{generator.randrange(100)}", "tflops": 1.0} for _ in range(5000)
            ]
            for new in rows:
                del new["id"]
            connection.execute(historytables.results.insert(), rows)
            plan = self.plan(connection, "910B1", "catlass_gemm", "p7")
        assert "ascend_tune_trend" in plan

    def engine(self, url):
        return sql.create_engine(url, poolclass=sql.NullPool)

    def count(self, url, table) -> int:
        with self.engine(url).connect() as connection:
            return connection.execute(sql.select(sql.func.count()).select_from(table)).scalar()

    def plan(self, connection, device, template, problem_id) -> str:
        prefix = "EXPLAIN QUERY PLAN" if connection.dialect.name == "sqlite" else "EXPLAIN"
        if connection.dialect.name == "postgresql":
            connection.execute(sql.text("ANALYZE ascend_tune_results"))
        rows = connection.execute(
            sql.text(
                f"{prefix} SELECT id FROM ascend_tune_results WHERE device = :device AND template = :template"
                " AND problem_id = :problem_id ORDER BY id DESC LIMIT 20"
            ),
            {"device": device, "template": template, "problem_id": problem_id},
        )
        return "\n".join(str(row) for row in rows)
