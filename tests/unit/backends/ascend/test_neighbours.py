"""Which of npu-smi's devices is ours, and who else is on it: hosts, containers, packages of two dies."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.backends.ascend import neighbours
from pytest_ascend_tune.backends.ascend.neighbours import Place, driver_number, find_place
from pytest_ascend_tune.backends.ascend.smi import parse
from tests.unit.backends.ascend.smi_layouts import dies, processes

EIGHT = dies("910B3", [0] * 8)


@pytest.fixture
def container(monkeypatch, tmp_path):
    """In a container that was handed these devices."""

    def make(*nodes: int) -> None:
        for number in nodes:
            (tmp_path / f"davinci{number}").touch()
        (tmp_path / "davinci_manager").touch()
        monkeypatch.setattr(neighbours, "DEVICE_NODES", tmp_path)
        monkeypatch.setattr(neighbours, "in_container", lambda: True)

    return make


@pytest.fixture
def host(monkeypatch):
    monkeypatch.setattr(neighbours, "in_container", lambda: False)


def place(text, index=0, physical=None, own_pid=None, visible=""):
    return find_place(parse(text), index, physical, own_pid, {"ASCEND_RT_VISIBLE_DEVICES": visible})


@pytest.mark.parametrize(
    ("index", "visible", "number"),
    [(0, "", 0), (1, "", 1), (1, "4,6", 6), (0, " 4 , 6", 4), (3, "4,6", 3), (0, "x", 0)],
)
def test_visible_devices_are_renumbered(index, visible, number):
    assert driver_number(index, {"ASCEND_RT_VISIBLE_DEVICES": visible}) == number


def test_what_ascendcl_says_is_believed_first(container):
    container(3, 4, 5, 6, 7)
    text = EIGHT + processes([(2, 0, 900, "python", "17")], container=True)
    assert place(text, physical=5, own_pid=17, visible="2") == Place((5,))


def test_on_a_host_the_visible_numbers_are_npu_smis(host):
    assert place(EIGHT, index=1, visible="4,6") == Place((6,))


def test_the_third_visible_device_of_a_container_that_holds_five(container):
    """vllm-project/vllm-ascend#16256: the host's 3 to 7 are 0 to 4 inside; visible 2 is the host's 5."""
    container(3, 4, 5, 6, 7)
    text = dies("910B3", [0] * 5)
    for inside, outside in reversed(list(enumerate((3, 4, 5, 6, 7)))):
        text = text.replace(f"| {inside}     910B3", f"| {outside}     910B3")
    assert place(text, visible="2") == Place((5,))


def test_our_own_process_shows_where_we_are(container):
    container(0)  # renamed when it was handed in
    text = EIGHT + processes([(2, 0, 900, "other", "NA"), (6, 0, 901, "python3.1", "17")], container=True)
    assert place(text, own_pid=17) == Place((6,))


def test_a_container_that_hides_which_one_it_holds_leaves_all(container):
    container(0)
    unknown = place(EIGHT)
    assert unknown == Place(tuple(range(8)))
    assert not unknown.known
    (told,) = neighbours.uncertainty(unknown)
    assert str(told).startswith("which of the NPUs 0, 1, 2, 3, 4, 5, 6, 7 of npu-smi is ours cannot be known")
    assert neighbours.uncertainty(Place((3,))) == ()


def notes(text, where, own_pid=None):
    return [str(note) for note in neighbours.neighbours(parse(text), where, own_pid)]


def test_a_busy_device_that_could_be_ours_is_named():
    text = dies("910B3", [0, 63]) + processes([(0, 0, 8, "train", "NA")], container=True)
    assert notes(text, Place((0, 1))) == [
        "process 8 (train) uses NPU 0, which could be ours",
        "the cores of NPU 1, which could be ours, are 63 % busy while nothing of ours runs",
    ]


def test_on_an_a3_device_10_is_busy_and_device_5_is_not(host):
    use = [0] * 16
    use[10] = 97
    text = dies("Ascend910", use, per_npu=2, phy=True) + processes([(5, 0, 7, "vllm", "")])
    assert notes(text, place(text, index=10)) == [
        "process 7 (vllm) uses NPU 10, too",
        "the cores of NPU 10 are 97 % busy while nothing of ours runs",
    ]
    assert notes(text, place(text, index=5)) == []


def test_the_column_of_numbers_in_the_container_tells_us_from_others():
    rows = [(0, 0, 900, "python3.1", "17"), (0, 0, 901, "python3.1", "4")]
    assert notes(EIGHT + processes(rows, container=True), Place((0,)), own_pid=17) == [
        "process 901 (python3.1) uses NPU 0, too"
    ]


def test_on_the_host_that_column_says_na():
    rows = [(0, 0, 900, "python3.1", "NA"), (0, 0, 901, "", "NA")]
    assert notes(EIGHT + processes(rows, container=True), Place((0,)), own_pid=900) == [
        "process 901 (?) uses NPU 0, too"
    ]


def test_without_that_column_one_python_process_in_a_container_is_taken_for_ours():
    text = EIGHT + processes([(0, 0, 900, "python3", ""), (0, 0, 901, "python3", "")])
    assert len(notes(text, Place((0,)), own_pid=17)) == 1
    assert len(notes(text, Place((0,)), own_pid=900)) == 1
    assert len(notes(text, Place((0,)), own_pid=None)) == 2
    assert notes(text, Place((1,)), own_pid=17) == []


@pytest.mark.parametrize(
    ("group", "kubernetes", "inside"),
    [
        ("0::/init.scope\n", "", False),
        ("12:cpu:/docker/4f\n", "", True),
        ("1:name=systemd:/kubepods/besteffort/pod1\n", "", True),
        ("0::/\n", "10.0.0.1", True),
        (None, "", False),
    ],
)
def test_signs_of_a_container(tmp_path, monkeypatch, group, kubernetes, inside):
    monkeypatch.setattr(neighbours, "_CONTAINER_SIGNS", (tmp_path / ".dockerenv",))
    monkeypatch.setattr(neighbours, "_CONTROL_GROUP", tmp_path / "cgroup")
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    if kubernetes:
        monkeypatch.setenv("KUBERNETES_SERVICE_HOST", kubernetes)
    if group is not None:
        (tmp_path / "cgroup").write_text(group)
    assert neighbours.in_container() is inside
    (tmp_path / ".dockerenv").touch()
    assert neighbours.in_container()
