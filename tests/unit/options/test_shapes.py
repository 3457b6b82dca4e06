import json

import pytest

from pytest_ascend_tune.model.errors import ShapesFileError
from pytest_ascend_tune.model.problem import Dtype
from pytest_ascend_tune.options.shapes import read_shapes, shapes_of


def read(tmp_path, text, name="shapes.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_shapes(path, Dtype.FLOAT32)


def test_csv_with_optional_columns(tmp_path):
    shapes = read(tmp_path, "m,n,k,dtype,layout,min_efficiency,threshold\n1,2,3,,,,\n4,5,6,float16,nt,50%,0.1\n\n")
    assert [shape.problem.id for shape in shapes] == ["1x2x3-float32-nn", "4x5x6-float16-nt"]
    assert dict(shapes[0].arguments) == {}
    assert dict(shapes[1].arguments) == {"min_efficiency": 0.5, "threshold": 0.1}


def test_spreadsheet_habits_are_read(tmp_path):
    shapes = read(tmp_path, "\ufeffm, n ,K\r\n1,2,3\r\n4,5,6\r\n".encode())
    assert [shape.problem.id for shape in shapes] == ["1x2x3-float32-nn", "4x5x6-float32-nn"]


def test_json_rows_and_lists(tmp_path):
    rows = [{"m": 1, "n": 2, "k": 3, "threshold": "4%"}, [4, 5, 6]]
    shapes = read(tmp_path, json.dumps(rows), "shapes.json")
    assert [shape.problem.m for shape in shapes] == [1, 4]
    assert dict(shapes[0].arguments) == {"threshold": 0.04}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("m,n,k\n", "no row"),
        ("m,n\n1,2\n", r"line 1: columns .*m, n and k are needed"),
        ("m,n,k,tile\n1,2,3,4\n", "line 1: columns"),
        ("m,n,k,k\n1,2,3,4\n", "line 1: columns"),
        ("m,n,k\n1,,3\n", "line 2: n is empty"),
        ("m,n,k\n1,2,3\n4,5\n", "line 3: 2 cells where the first line has 3 columns"),
        ("m,n,k\n1,2,x\n", "line 2: k='x' is a str"),
        ("m,n,k\n1,2,0\n", "line 2: k=0 is out of range"),
        ("m,n,k\n1,2,-3\n", "line 2: k=-3 is out of range"),
        ("m,n,k\n1,2,3.0\n", "line 2: k='3.0'"),
        ("m,n,k\n1,2,3\n4,5,6\n1,2,3\n", r"line 4: 1x2x3-float32-nn stands there twice \(first: .*line 2\)"),
        ("m,n,k,dtype\n1,2,3,double\n", "line 2: dtype='double'"),
        ("m,n,k,threshold\n1,2,3,5\n", "line 2: threshold: '5'"),
        ("m;n;k\n1;2;3\n", "line 1: columns"),
        ("m,n,k\n1,2,3\n".encode("utf-16"), "not UTF-8"),
    ],
)
def test_bad_files_name_file_and_line(tmp_path, text, message):
    with pytest.raises(ShapesFileError, match=message) as caught:
        read(tmp_path, text)
    assert "shapes.csv" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        '[{"m": 1, "n": 2, "k": 3, "m": 4}]',
        "{}",
        "[1]",
        "[",
        '[{"m": 1}]',
        '[{"m": 1, "n": 2, "k": 3.5}]',
        '[{"m": true, "n": 2, "k": 3}]',
        "[]",
    ],
)
def test_bad_json(tmp_path, text):
    with pytest.raises(ShapesFileError, match=r"shapes\.json"):
        read(tmp_path, text, "shapes.json")


def test_missing_file_and_unknown_kind(tmp_path):
    with pytest.raises(ShapesFileError, match="cannot be read"):
        read_shapes(tmp_path / "none.csv", Dtype.FLOAT32)
    with pytest.raises(ShapesFileError, match=r"'\.txt'; allowed: \.csv, \.json"):
        read(tmp_path, "m,n,k\n1,2,3\n", "shapes.txt")


@pytest.mark.parametrize("rows", [[], None, "abc", [(1, 2)], [5], [(1, 2, 0)], [{"m": 1, "n": 2}]])
def test_bad_marker_shapes(rows):
    with pytest.raises(ShapesFileError, match=r"^test_x"):
        shapes_of(rows, "test_x", Dtype.FLOAT32)


def test_a_row_of_sixty_thousand_keys_is_refused_in_one_line(tmp_path):
    members = ", ".join(f'"key{number}": 1' for number in range(60_000))
    for text, message in (
        (f"[{{{members}}}]", r"unknown arguments key0, .* and 59995 more"),
        (f'[{{{members}, "key59999": 2}}]', "key 'key59999' stands twice"),
    ):
        with pytest.raises(ShapesFileError, match=message) as caught:
            read(tmp_path, text, "shapes.json")
        assert len(str(caught.value)) < 500


@pytest.mark.parametrize("size", ["9223372036854775808", "9" * 6000])
@pytest.mark.parametrize("name", ["shapes.csv", "shapes.json"])
def test_sizes_that_no_machine_counts_to_are_refused(tmp_path, size, name):
    with pytest.raises(ShapesFileError):
        read(tmp_path, f"m,n,k\n{size},1,1\n" if name.endswith("csv") else f"[[{size}, 1, 1]]", name)
