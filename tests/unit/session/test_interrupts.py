"""Ctrl-C waits while something that belongs together is done, and no longer."""

import os
import signal
import threading

import pytest

from pytest_ascend_tune.session.interrupts import held_back

pytestmark = pytest.mark.usefixtures("hears_ctrl_c")


def test_it_takes_effect_afterwards():
    done = []

    def body():
        with held_back():
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
            done.append("inside")
        done.append("after")

    with pytest.raises(KeyboardInterrupt):
        body()
    assert done == ["inside"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_inside_does_not_swallow_it():
    def body():
        with held_back():
            os.kill(os.getpid(), signal.SIGINT)
            raise ValueError

    with pytest.raises(KeyboardInterrupt) as caught:
        body()
    assert isinstance(caught.value.__context__, ValueError)


@pytest.mark.parametrize("handler", [signal.SIG_IGN, signal.SIG_DFL])
def test_where_nobody_listens_nothing_changes(handler):
    signal.signal(signal.SIGINT, handler)
    with held_back():
        assert signal.getsignal(signal.SIGINT) is handler


def test_other_threads_do_not_touch_it():
    seen = []

    def body():
        with held_back():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
