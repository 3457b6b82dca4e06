from __future__ import annotations

import itertools
import traceback
from contextlib import nullcontext

import pytest
import sqlalchemy as sql

from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.secreturl import SecretUrl
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

    def test_a_password_connects_and_is_in_no_message(self, url):
        """Whatever the server says of the user, the database or an option, which it repeats."""
        History(SecretUrl(url.replace("tester@", "tester:S3cr3tHunter@"))).check()
        for old, new, refused in (
            ("tester@", "S3cr3tUser:S3cr3tHunter@", True),
            ("tester@", "tester:S3cr3tHunter%40S3cr3tUser@", False),
            ("-csearch_path", "-cDateStyle%3DS3cr3tHunter%20-csearch_path", True),
            ("&options", "&client_encoding=S3cr3tHunter&options", True),
            ("&options", "&password=S3cr3tHunter&user=S3cr3tUser&options", True),
        ):
            with pytest.raises(RecordError) if refused else nullcontext() as caught:
                History(url.replace(old, new)).check()
            if refused:
                assert "***" in str(caught.value)
                assert "S3cr3t" not in "".join(traceback.format_exception(caught.value))
