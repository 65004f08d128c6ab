"""Whether figures, prices, dates and promises of an answer stand in the passages that it was made of (rule N2).

Both are read into the same keys: `n:50|EUR` is fifty euros however it was written, in figures or words, in any of six
languages. A claim stands if the passages hold its keys. What cannot be read so (whose price it is) is not checked.
Decision 0047 says where the line is.
"""

from chalicelib.answers.grounding.grounds import Grounds

__all__ = ["Grounds"]
