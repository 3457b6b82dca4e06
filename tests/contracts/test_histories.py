from __future__ import annotations

import itertools

import pytest
import sqlalchemy as sql

from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.records.history.store import History
from tests.contracts import postgresql
from tests.contracts.history_contract import HistoryContract

_numbers = itertools.count()


class TestSqlite(HistoryContract):
    @pytest.fixture
    def url(self, tmp_path):
        return f"sqlite:///{tmp_path / 'deeper' / 'history.sqlite'}"

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path):
        (tmp_path / "deeper").mkdir()


@pytest.fixture(scope="module")
def postgresql_url():
    with postgresql.server() as url:
        yield url


@pytest.mark.slow
class TestPostgresql(HistoryContract):
    @pytest.fixture
    def url(self, postgresql_url):
        """A schema of its own for each test, as users do who share a database."""
        name = f"test_{next(_numbers)}"
        with sql.create_engine(postgresql_url, poolclass=sql.NullPool).begin() as connection:
            connection.execute(sql.text(f"CREATE SCHEMA {name}"))
        return f"{postgresql_url}&options=-csearch_path%3D{name}"

    def test_the_plain_url_means_the_driver_that_we_ask_for(self, url):
        History(url.replace("postgresql+psycopg:", "postgresql:")).check()

    def test_a_database_that_does_not_exist_is_said_before_measuring(self, url):
        with pytest.raises(RecordError, match=r'history .*"nowhere" does not exist'):
            History(url.replace("/postgres?", "/nowhere?")).check()
