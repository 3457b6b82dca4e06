"""What a worker process keeps between requests: loaded libraries, operands; the least recently used go first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Generic, TypeVar

from pytest_ascend_tune.backends.build_cache import sha256_of, why_not_loaded
from pytest_ascend_tune.model.errors import BuildError

Item = TypeVar("Item")


class Kept(Generic[Item]):
    """At most `most` items by name; `drop` is called with those that have to go."""

    def __init__(self, most: int, drop: Callable[[Item], None] = lambda item: None) -> None:
        self._most = most
        self._drop = drop
        self._items: OrderedDict[str, Item] = OrderedDict()

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items.values())

    @property
    def names(self) -> list[str]:
        """The least recently used first."""
        return list(self._items)

    def get(self, name: str, make: Callable[[], Item]) -> Item:
        """The item of a name; a new one gets its room before it is made. What `make` raises passes through."""
        if name not in self._items:
            while len(self._items) >= self._most:
                self.drop_oldest()
            self._items[name] = make()
        self._items.move_to_end(name)
        return self._items[name]

    def drop_oldest(self) -> None:
        """Let go of the least recently used."""
        self._drop(self._items.popitem(last=False)[1])


def load(path: str, sha256: str, open_library: Callable[[str], Item]) -> Item:
    """What `open_library` makes of a built kernel. Raises BuildError when it is not what was built, or not loadable."""
    if sha256_of(Path(path)) != sha256:
        raise BuildError(f"the built kernel {Path(path).name} was changed after it was built")
    try:
        return open_library(path)
    except OSError as error:
        text = str(error).replace(path, "kernel")
        raise BuildError(f"the built kernel cannot be loaded: {text}{why_not_loaded(text)}") from error
