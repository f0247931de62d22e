"""The operators of neural networks."""

from .._missing import getter
from .._operators import functions_of as _functions_of

globals().update(_functions_of("nn"))
__getattr__ = getter(__name__)
