"""Instruments, under their longer name."""

from ..instrument import PassInstrument as PassInstrument
from ..instrument import PassPrintingInstrument as PassPrintingInstrument
from ..instrument import PassTimingInstrument as PassTimingInstrument
from ..instrument import PrintAfterAll as PrintAfterAll
from ..instrument import PrintBeforeAll as PrintBeforeAll
from ..instrument import pass_instrument as pass_instrument
