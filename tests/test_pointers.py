"""What compiled code may not do with pointers to records is refused when it is compiled."""

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from card_envs.kernels import JIT
from card_envs.pointers import fixed, line, row

pytestmark = pytest.mark.skipif(not JIT, reason="plain Python indexes the arrays")
PAIR = np.dtype([("number", "i4"), ("many", "i2", 3), ("flag", "?"), ("part", "f4")], align=True)


@numba.njit
def change(records, i):
    s = row(records, i)
    s.number = s.number * 2 + s.many[2]
    s.many[1] = -7
    s.flag = not s.flag
    s.part += 0.5
    return s.number


@numba.njit
def change_options(records):
    fixed(records).number = 1


@numba.njit
def first_of(numbers, i):
    return line(numbers, i)[0]


def test_fields_are_read_and_written_in_their_own_row():
    records = np.zeros(3, PAIR)
    records["number"], records["many"] = 5, [1, 2, 3]
    assert change(records, 1) == 13
    assert records["number"].tolist() == [5, 13, 5] and records["many"].tolist() == [[1, 2, 3], [1, -7, 3], [1, 2, 3]]
    assert records["flag"].tolist() == [False, True, False] and records["part"].tolist() == [0.0, 0.5, 0.0]


def test_options_cannot_be_changed():
    with pytest.raises(TypingError, match="options do not change"):
        change_options(np.zeros(1, PAIR))


def test_arrays_with_gaps_are_refused():
    with pytest.raises(TypingError):
        change(np.zeros(6, PAIR)[::2], 1)
    with pytest.raises(TypingError):
        first_of(np.zeros((4, 6), np.int64)[:, ::2], 1)
    assert first_of(np.arange(12).reshape(4, 3), 2) == 6
