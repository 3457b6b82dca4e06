"""What a worker keeps: the least recently used goes first; a library is what was built, or it is not loaded."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.backends.build_cache import sha256_of
from pytest_ascend_tune.backends.loaded import Kept, load
from pytest_ascend_tune.model.errors import BuildError


def test_the_least_recently_used_goes_first():
    dropped: list[str] = []
    kept = Kept(2, drop=dropped.append)
    for name in ("a", "b", "a", "c"):
        assert kept.get(name, name.upper) == name.upper()
    assert (dropped, kept.names, list(kept)) == (["B"], ["a", "c"], ["A", "C"])
    kept.drop_oldest()
    assert (dropped, len(kept)) == (["B", "A"], 1)


def test_what_cannot_be_made_is_not_kept_and_leaves_its_room():
    kept = Kept(1)
    kept.get("a", lambda: 1)
    with pytest.raises(MemoryError):
        kept.get("b", lambda: (_ for _ in ()).throw(MemoryError))
    assert kept.names == []
    assert kept.get("a", lambda: 2) == 2


def test_only_what_was_built_is_loaded(tmp_path):
    path = tmp_path / "one.so"
    path.write_bytes(b"binary")
    assert load(str(path), sha256_of(path), lambda name: name) == str(path)
    with pytest.raises(BuildError, match=r"one\.so was changed after it was built"):
        load(str(path), "0" * 64, lambda name: name)

    def refuse(name):
        raise OSError(f"{name}: undefined symbol: x")

    with pytest.raises(BuildError, match=r"cannot be loaded: kernel: undefined symbol: x"):
        load(str(path), sha256_of(path), refuse)
