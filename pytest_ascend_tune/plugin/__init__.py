"""Door of pytest: options, marker, fixture and collection. What runs when tuning is on lives in plugin/activity.py.

- ``items``: rows of shapes files as tests; ``marker``: what a test asks for
- ``activity``: collection and the fixture's call; ``waiting``: which tests ask; ``outcomes``: what each came to;
  ``ending``: reports, summary, exit code; ``screen``: progress past pytest's capturing
- ``xdist``, ``benchmark``, ``htmlreport``: beside pytest-xdist, pytest-benchmark, pytest-html
- ``hookspec``: hooks that a conftest.py may implement

Who has the plugin installed and tunes nothing pays for this module, settings and errors only: the rest is imported
where a test or an option asks for it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_ascend_tune.model.errors import InvalidInputError
from pytest_ascend_tune.options.settings import Settings, resolve
from pytest_ascend_tune.options.table import MARKER, OPTIONS
from pytest_ascend_tune.plugin import hookspec

if TYPE_CHECKING:
    from pytest_ascend_tune.model.problem import Dtype
    from pytest_ascend_tune.plugin.activity import AscendTune

SETTINGS = pytest.StashKey[Settings]()
ACTIVITY = "ascend_tune_activity"
OFF = "tuning is off; give --ascend-tune to tune and gate"


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Offer every row of the table as an option and as an ini key."""
    group = parser.getgroup("ascend-tune", "tune GEMM kernels and gate their performance")
    for option in OPTIONS:
        if option.flag:
            group.addoption(option.switch, dest=f"ascend_tune_{option.name}", action="store_true", help=option.help)
        else:
            action = "append" if option.repeatable else "store"
            group.addoption(
                option.switch,
                dest=f"ascend_tune_{option.name}",
                action=action,
                default=None,
                metavar=option.metavar,
                help=option.help.replace("%", "%%"),
            )
        parser.addini(option.ini, option.help, type="string", default=None)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Announce the hooks that a conftest.py may implement."""
    pluginmanager.add_hookspecs(hookspec)


def pytest_configure(config: pytest.Config) -> None:
    """Decide the settings; with --ascend-tune, bring in what tunes."""
    config.addinivalue_line(
        "markers",
        "ascend_tune(m, n, k, dtype=None, layout='nn', shapes=None, template=None, max_iter=None, min_efficiency=None, "
        "min_vs_reference=None, threshold=None, seed=None, config=None): tune this GEMM problem and gate its "
        "performance (pytest-ascend-tune); the test requests the fixture ascend_tune and calls it",
    )
    given = {option.name: config.getoption(f"ascend_tune_{option.name}") for option in OPTIONS}
    ini = {option.name: config.getini(option.ini) for option in OPTIONS}
    try:
        settings = resolve(given, {name: value for name, value in ini.items() if value})
    except InvalidInputError as error:
        from pytest_ascend_tune.model.printable import printable  # start-up: unused runs

        raise pytest.UsageError(printable(f"ascend-tune: {error}")) from None
    config.stash[SETTINGS] = settings
    if settings.enabled:
        from pytest_ascend_tune.plugin.activity import Activity  # start-up: numpy and skopt

        config.pluginmanager.register(Activity(config, settings), ACTIVITY)


def default_dtype(config: pytest.Config) -> Dtype:
    """Dtype of problems that name none. Off, no device is looked at: the backend's name decides."""
    activity = config.pluginmanager.get_plugin(ACTIVITY)
    if activity is not None:
        dtype: Dtype = activity.default_dtype
        return dtype
    from pytest_ascend_tune import backends  # start-up: unused runs

    return backends.default_dtype(config.stash[SETTINGS].backend)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a shapes file that is named among the arguments or lies in a collected folder."""
    config = parent.config
    settings = config.stash[SETTINGS]
    if not settings.shapes:
        return None
    from pytest_ascend_tune.plugin.items import ShapesFile, shapes_paths  # start-up: unused runs

    if file_path.resolve() in shapes_paths(config, settings):
        return ShapesFile.create(parent, file_path.resolve(), default_dtype(config))
    return None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """``shapes=[...]`` in the marker: one item a shape."""
    marker = metafunc.definition.get_closest_marker(MARKER)
    if marker is None or marker.kwargs.get("shapes") is None or MARKER not in metafunc.fixturenames:
        return
    from pytest_ascend_tune.plugin.marker import marker_shapes  # start-up: unused runs

    nodeid = metafunc.definition.nodeid
    try:
        shapes = marker_shapes(marker.kwargs, nodeid, default_dtype(metafunc.config), metafunc.config.rootpath)
    except InvalidInputError as error:
        # Raised here it would be a collection error (exit 2); as a parameter it reaches the check of all requests.
        metafunc.parametrize(MARKER, [error], ids=["bad-shapes"], indirect=True)
        return
    metafunc.parametrize(MARKER, shapes, ids=[shape.problem.id for shape in shapes], indirect=True)


def asks(item: pytest.Item) -> bool:
    """Whether a test is marked, or requests the fixture."""
    return MARKER in getattr(item, "fixturenames", ()) or item.get_closest_marker(MARKER) is not None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the shapes files' items; check every request; skip all of them when tuning is off."""
    settings = config.stash[SETTINGS]
    if not (settings.enabled or settings.shapes or any(map(asks, items))):
        return
    from pytest_ascend_tune.plugin.items import collect_shapes  # start-up: unused runs
    from pytest_ascend_tune.plugin.marker import known_requests  # start-up: unused runs

    if settings.shapes:
        items.extend(collect_shapes(session, items, settings, default_dtype(config)))
    requests = known_requests(items, settings, default_dtype(config))
    if settings.enabled:
        activity: Any = config.pluginmanager.get_plugin(ACTIVITY)
        activity.expect(items, requests)
        return
    for item in items:
        if item.nodeid in requests or MARKER in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason=OFF))


@pytest.fixture
def ascend_tune(request: pytest.FixtureRequest) -> AscendTune:
    """Tune and gate a GEMM problem: ``ascend_tune()`` (shape from the marker) or ``ascend_tune(m=.., n=.., k=..)``.

    Returns a GateResult; raises PerformanceRegression when the gate fails.
    """
    activity = request.config.pluginmanager.get_plugin(ACTIVITY)
    if activity is None:
        pytest.skip(OFF)
    tune: AscendTune = activity.fixture(request.node)
    return tune
