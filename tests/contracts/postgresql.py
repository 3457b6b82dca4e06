"""A real PostgreSQL for tests: started in a temporary directory, reached by a socket in it, stopped at the end."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BINARIES = ("initdb", "pg_ctl", "postgres")
NOBODY = "nobody"


def find_binaries() -> Path | None:
    """Folder with the server's programs: on PATH, or where Debian puts them; the newest version."""
    places = [Path(found).resolve().parent for found in [shutil.which("postgres")] if found]
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: int(place.parent.name), reverse=True)
    return next((place for place in places if all((place / name).exists() for name in BINARIES)), None)


@contextmanager
def server() -> Iterator[str]:
    """URL of an empty database of a new server. Skips the test, with the reason, where none can be started."""
    binaries = find_binaries()
    if binaries is None:
        pytest.skip(f"no PostgreSQL here ({', '.join(BINARIES)} neither on PATH nor under /usr/lib/postgresql)")
    pytest.importorskip("psycopg")
    user = NOBODY if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        data = Path(folder) / "data"
        data.mkdir(mode=0o700)
        if user:
            shutil.chown(folder, user)
            shutil.chown(data, user)

        def run(program: str, *arguments: str) -> None:
            done = subprocess.run(
                [binaries / program, *arguments],
                user=user,
                cwd=folder,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
                stdout=subprocess.PIPE if program != "pg_ctl" else subprocess.DEVNULL,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=120,
                check=False,
            )
            assert done.returncode == 0, f"{program} failed: {done.stdout}"

        run("initdb", "-D", str(data), "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-k {folder} -c listen_addresses='' -c fsync=off -c shared_buffers=16MB"
        run("pg_ctl", "-D", str(data), "-w", "-t", "60", "-l", str(Path(folder) / "log"), "-o", options, "start")
        try:
            yield f"postgresql+psycopg://tester@/postgres?host={folder}"
        finally:
            run("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
