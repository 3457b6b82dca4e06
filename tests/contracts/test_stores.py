from __future__ import annotations

import pytest

from pytest_ascend_tune.records.baselines.store import BaselineStore
from tests.contracts.store_contract import StoreContract
from tests.fakes.store import FakeStore


class TestBaselineStore(StoreContract):
    @pytest.fixture
    def store(self, tmp_path):
        return BaselineStore(tmp_path)


class TestFakeStore(StoreContract):
    @pytest.fixture
    def store(self, tmp_path):
        return FakeStore(tmp_path)
