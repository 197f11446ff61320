"""What a table shows its players, in rows that are written once and then handed out: an array that is handed out stays as it is.

Making an array costs more than filling it, so rows are made in blocks. Who keeps an array keeps its block, so blocks are small.
"""

from __future__ import annotations

import numpy as np

from card_envs.buffers import OBSERVATIONS
from card_envs.scalar import TAKERS, Context

MAX_BYTES = 32_768  # of a block
MAX_ROWS = 64
# By the names that scalar faces have for the forms of an observation: the engine's name, and where its kernels write it.
WRITTEN = {"int8": ("uint8", "vectors"), "float32": ("float32", "floats")}


class Rows:
    """The outputs of one table, in the form of `card_envs.forms` if there is one.

    vectors [N, O], masks and info_masks int8 [N, A]: the observation, what is legal, and the same again.
    last: the row that was written last. A step of the table is `play(handle, action, row)` with the row after it, which `room`
    finds, then `last = row`, and `reshape` where there is a form.
    """

    def __init__(self, table, layout, observation: str, form):
        self._table, self._layout, self._form = table, layout, form
        self._dtype = np.dtype(observation)
        self._num_actions = table.num_actions
        row_bytes = layout.width * self._dtype.itemsize + TAKERS * self._num_actions
        self.count = max(1, min(MAX_BYTES // row_bytes, MAX_ROWS))
        made, self._written = WRITTEN[observation]
        modes = table.arrays.modes.copy()
        modes["observation"] = OBSERVATIONS.index("bits" if form else made)
        self._context = Context(table.game, table.rules, table.arrays._replace(modes=modes))
        self._context.bind(masks=np.empty((TAKERS, self.count, self._num_actions), np.int8))
        if not form:
            self._context.bind(**{self._written: np.empty((self.count, layout.width), made)})
        self.handle, self.play, self._look = self._context.handle, self._context.kernels.play, self._context.kernels.look
        self.new_block()

    def new_block(self) -> int:
        """Rows that nobody has seen; returns the first."""
        self.vectors = np.empty((self.count, self._layout.width), self._dtype)
        masks = np.empty((TAKERS, self.count, self._num_actions), np.int8)
        self.masks, self.info_masks = masks
        self._context.replace("masks", masks)
        if not self._form:
            self._context.replace(self._written, self.vectors)
        self.last = -1
        return 0

    def look(self, seat: int) -> int:
        """The number of a new row with what that seat sees and may do, whoever is to act."""
        row = self.last + 1
        if row == self.count:
            row = self.new_block()
        self._look(self.handle, seat, row)
        self.last = row
        if self._form:
            self.reshape(row, seat)
        return row

    def reshape(self, row: int, seat: int) -> None:
        """Put the row of that seat, which has just been written, into the form."""
        words, trumps = self._form.words(self._table.arrays.words[:1])
        vector = self.vectors[row : row + 1]
        self._layout.spread_into(words, vector if self._dtype == np.float32 else vector.view(np.uint8))
        if self.masks[row].any():
            self._form.legal(self._table.legal_words()[None], trumps, self.masks[row : row + 1])
            self.info_masks[row] = self.masks[row]
