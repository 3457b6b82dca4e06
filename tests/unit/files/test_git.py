"""Files of a revision are read with plumbing, and nothing is written; every way in which that fails has its advice."""

import os
import subprocess
from pathlib import Path

import pytest

from pytest_ascend_tune.files.git import Repository, RevisionFiles
from pytest_ascend_tune.model.errors import RevisionError

IDENTITY = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
GIT_FREE = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *IDENTITY, *words], capture_output=True, text=True, check=True, env=GIT_FREE
    )
    return done.stdout.strip()


def write(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def commit(folder: Path) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "change")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path):
    root = tmp_path / "repo"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    write(root, "kernels/mine/space.toml", "title = 'mine'\n" * 20)
    write(root, "kernels/mine/src/deep/kernel.cpp", "int old;\n")
    write(root, "kernels/mine/src/kernel.h", "int h;\n")
    commit(root)
    return root


def files(folder: Path, revision: str) -> RevisionFiles:
    found = Repository.of(folder)
    return found.files(found.commit(revision), found.prefix)


def state(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file of .git with its time and content."""
    paths = (path for path in (root / ".git").rglob("*") if path.is_file())
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in paths}


def test_names_globs_and_text_of_a_revision_whatever_the_work_tree_holds(repository):
    write(repository, "kernels/mine/src/deep/kernel.cpp", "int new;\n")
    before = state(repository)
    there = files(repository / "kernels/mine", "HEAD")
    assert there.read("src/deep/kernel.cpp") == b"int old;\n"
    assert there.find("src/**/*.cpp") == ["src/deep/kernel.cpp"]
    assert there.find("src/*") == ["src/kernel.h"]
    assert sorted(there.find("**/*")) == ["space.toml", "src/deep/kernel.cpp", "src/kernel.h"]
    assert "space.toml" in there
    assert "src" not in there
    assert state(repository) == before


def test_the_root_of_a_repository_can_be_a_template(repository):
    assert "kernels/mine/space.toml" in files(repository, "main")


def test_a_folder_behind_a_link_and_the_environment_of_a_hook(repository, tmp_path, monkeypatch):
    (tmp_path / "link").symlink_to(repository / "kernels")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    assert Repository.of(tmp_path / "link/mine").prefix == "kernels/mine"


def test_a_renamed_folder_is_found_by_its_earlier_name(repository):
    old = git(repository, "rev-parse", "HEAD")
    git(repository, "mv", "kernels/mine", "kernels/ours")
    commit(repository)
    found = Repository.of(repository)
    assert found.earlier_name(old, "kernels/ours/space.toml") == "kernels/mine/space.toml"
    assert found.earlier_name(old, "kernels/other/space.toml") == ""


def test_links_stay_in_the_folder(repository):
    folder = repository / "kernels/mine"
    (folder / "alias.h").symlink_to("src/kernel.h")
    (folder / "out.h").symlink_to("../../secret.h")
    (folder / "loop.h").symlink_to("loop.h")
    commit(repository)
    there = files(folder, "HEAD")
    assert there.read("alias.h") == b"int h;\n"
    for name in ("out.h", "loop.h", "gone.h"):
        with pytest.raises(RevisionError, match=rf"kernels/mine/{name} in [0-9a-f]{{10}} is no file"):
            there.read(name)


def test_a_pointer_of_lfs_is_no_source(repository):
    write(repository, "kernels/mine/big.h", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    commit(repository)
    with pytest.raises(RevisionError, match=r"big\.h in .* is a Git LFS pointer.*keep kernel sources in git itself"):
        files(repository / "kernels/mine", "HEAD").read("big.h")


@pytest.mark.parametrize("revision", ["nosuch", "HEAD~1", "deadbeefdeadbeef", "HEAD:kernels", "@{u}"])
def test_an_unknown_revision(repository, revision):
    with pytest.raises(RevisionError, match=r"there is no revision .* fetch it \(git fetch origin\)"):
        Repository.of(repository).commit(revision)


def test_tags_and_abbreviated_hashes_name_commits(repository):
    head = git(repository, "rev-parse", "HEAD")
    git(repository, "tag", "-a", "v1", "-m", "v1")
    assert {Repository.of(repository).commit(name) for name in ("v1", "main", head[:8], "@", head)} == {head}


def test_a_shallow_clone(repository, tmp_path):
    write(repository, "more", "more\n")
    commit(repository)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository}", "shallow")
    with pytest.raises(RevisionError, match=r"shallow clone.*fetch-depth: 0"):
        Repository.of(tmp_path / "shallow").commit("HEAD~1")


def test_a_partial_clone_is_not_filled_up(repository, tmp_path):
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repository}", "partial")
    version = tuple(map(int, git(tmp_path, "version").split()[2].split(".")[:2]))
    if version < (2, 45):
        pytest.skip(f"git {version} cannot be told to stay off the network")
    with pytest.raises(RevisionError, match="a partial clone lacks old files"):
        files(tmp_path / "partial", "HEAD").read("kernels/mine/src/kernel.h")


@pytest.mark.parametrize(
    ("origin", "page"),
    [
        ("https://example.org/team/kernels.git", "https://example.org/team/kernels/commit/abc"),
        ("https://me:secret@example.org:8443/team/kernels", "https://example.org:8443/team/kernels/commit/abc"),
        ("git@example.org:team/kernels.git", "https://example.org/team/kernels/commit/abc"),
        ("ssh://git@example.org/team/kernels.git", "https://example.org/team/kernels/commit/abc"),
        ("/srv/git/kernels.git", ""),
        ("javascript:alert(1)", ""),
        ("https://example.org/a b)<script>", ""),
    ],
)
def test_the_page_of_a_commit_is_known_for_usual_hosts_and_tells_no_secret(repository, origin, page):
    git(repository, "remote", "add", "origin", origin)
    assert Repository.of(repository).page("abc") == page


def test_no_repository(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(RevisionError, match="lies in no git work tree"):
        Repository.of(tmp_path)


def test_no_git(repository, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RevisionError, match="git is not installed; install it"):
        Repository.of(repository)


def test_a_repository_of_somebody_else(repository, monkeypatch):
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(RevisionError, match=r"does not trust .*git config --global --add safe\.directory"):
        Repository.of(repository)
