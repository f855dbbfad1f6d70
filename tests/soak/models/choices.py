"""choices.py - every random decision of a generated model has a name.

A decision depends on the seed and its name alone, not on what was decided before, so that a
model can be made again with some decisions replaced by simpler ones: that is how it is shrunk.
"""
import random


class Choices:
    def __init__(self, seed, fixed=None):
        self.seed = seed
        self.fixed = dict(fixed or {})
        self.made = {}  # name: (value, simpler value)

    def _decide(self, name, draw, simpler):
        if name not in self.made:
            value = self.fixed[name] if name in self.fixed else draw(random.Random(f"{self.seed}/{name}"))
            self.made[name] = (value, simpler(value))
        return self.made[name][0]

    def chance(self, name, probability):
        return self._decide(name, lambda g: g.random() < probability, lambda v: False)

    def keep(self, name):
        return self._decide(name, lambda g: True, lambda v: False)

    def index(self, name, n, weights=None):
        return self._decide(name, lambda g: g.choices(range(n), weights)[0], lambda v: 0)

    def pick(self, name, items, weights=None):
        return items[self.index(name, len(items), weights)]

    def whole(self, name, low, high):
        return self._decide(name, lambda g: g.randint(low, high), lambda v: low)

    def number(self, name, low, high):
        """Uniform in the logarithm if both ends are positive; three digits."""
        def draw(g):
            v = low * (high / low) ** g.random() if low > 0 else g.uniform(low, high)
            return float(f"{v:.3g}")
        return self._decide(name, draw, lambda v: float(f"{v:.1g}"))


class Part:
    """The choices of one part of a model: names are prefixed."""

    def __init__(self, choices, prefix):
        self.choices, self.prefix = choices, prefix

    def __getattr__(self, what):
        method = getattr(self.choices, what)
        return lambda name, *rest: method(f"{self.prefix}.{name}", *rest)
