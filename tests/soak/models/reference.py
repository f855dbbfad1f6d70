"""reference.py - the known solution of a generated model, computed without daedal.

Each part of a model has its modes switched by hand: in a mode its states obey an explicit
ordinary differential equation, solved by extrapolation [HNW93, II.9] to 1e-13, and guards that
are positive while the mode lasts.  A part without states has its solution in closed form.
"""

COLUMNS = (2, 4, 6, 8, 10)
FIRED = -1e-11  # a guard below this has ended its mode


class Unfit(Exception):
    """The model that was drawn has no well-conditioned solution; draw another."""


class Behaviour:
    """What a part does.  The functions take t, x, mode and the values of earlier parts."""

    def __init__(self, x0=lambda u: [], mode=lambda u: None, slope=None, guards=None, jump=None, out=None):
        self.x0, self.mode = x0, mode
        self.slope = slope or (lambda t, x, m, u: [])
        self.guards = guards or (lambda t, x, m, u: {})
        self.jump = jump
        self.out = out


class World:
    """All parts of a model together, in order: a part may read the values of those before."""

    def __init__(self, parts, budget=400000):
        self.parts = parts
        self.budget = budget

    def start(self, t):
        self.t, self.x, self.modes = t, [], []
        values = {}
        for p in self.parts:
            self.modes.append(p.mode(values))
            x = [float(v) for v in p.x0(values)]
            self.x.append(x)
            values.update(p.out(t, x, self.modes[-1], values))
        self.events = []
        self.settle()

    def values(self, t, x):
        values = {}
        for p, own, m in zip(self.parts, x, self.modes):
            values.update(p.out(t, own, m, values))
        return values

    def slopes(self, t, x):
        values, slopes = {}, []
        for p, own, m in zip(self.parts, x, self.modes):
            values.update(p.out(t, own, m, values))
            slopes.append(p.slope(t, own, m, values))
        self.budget -= 1
        if self.budget < 0:
            raise Unfit("too much work")
        return slopes

    def guards(self, t, x):
        values, guards = {}, {}
        for k, (p, own, m) in enumerate(zip(self.parts, x, self.modes)):
            values.update(p.out(t, own, m, values))
            for name, g in p.guards(t, own, m, values).items():
                guards[k, name] = g
        return guards

    # ---- one step ----

    def midpoint(self, t, x, first, step, n):
        """The modified midpoint rule with n substeps."""
        h = step / n
        z0 = x
        z1 = combine(x, h, first)
        for k in range(1, n):
            z0, z1 = z1, combine(z0, 2 * h, self.slopes(t + k * h, z1))
        return z1

    def extrapolate(self, t, x, step):
        first = self.slopes(t, x)
        if not any(first):
            return x, 0.0
        table = []
        for i, n in enumerate(COLUMNS):
            row = [self.midpoint(t, x, first, step, n)]
            for j in range(i):
                ratio = (n / COLUMNS[i - j - 1]) ** 2 - 1
                row.append(combine(row[j], 1 / ratio, row[j], table[i - 1][j]))
            table.append(row)
        return table[-1][-1], distance(table[-1][-1], table[-1][-2])

    def integrate(self, t, x, step):
        """The states after step, in the present modes."""
        new, error = self.extrapolate(t, x, step)
        if error < 3e-13:
            return new
        if abs(step) < 1e-12 * (1 + abs(t)):
            raise Unfit("the reference makes no progress")
        half = self.integrate(t, x, step / 2)
        return self.integrate(t + step / 2, half, step / 2)

    # ---- events ----

    def settle(self):
        """Change modes until no guard is violated."""
        for _ in range(50):
            fired = [k for k, g in self.guards(self.t, self.x).items() if g < 10 * FIRED]
            if not fired:
                return
            self.fire(fired)
        raise Unfit("the modes do not settle")

    def fire(self, fired):
        before = self.values(self.t, self.x)
        for k, name in fired[:1]:
            values = {}
            for p, own, m in zip(self.parts[:k], self.x, self.modes):
                values.update(p.out(self.t, own, m, values))
            x, mode = self.parts[k].jump(name, self.t, self.x[k], self.modes[k], values)
            self.x[k], self.modes[k] = [float(v) for v in x], mode
        self.events.append((self.t, before, self.values(self.t, self.x), fired[0]))
        if len(self.events) > 2000:
            raise Unfit("too many events")

    def locate(self, fired, step, new):
        """The step up to the first violation of a guard."""
        best = None
        for key in fired:
            low, high = 0.0, step
            f_low = self.guards(self.t, self.x)[key] - FIRED / 10
            f_high = self.guards(self.t + step, new)[key] - FIRED / 10
            if f_low <= 0:
                return 0.0, key
            for k in range(80):
                if high - low < 4e-16 * (abs(self.t) + abs(step)):
                    break
                mid = (low * f_high - high * f_low) / (f_high - f_low)
                edge = 0.02 * (high - low)
                if not low + edge < mid < high - edge or k % 3 == 2:
                    mid = (low + high) / 2
                x_mid = self.integrate(self.t, self.x, mid)
                f_mid = self.guards(self.t + mid, x_mid)[key] - FIRED / 10
                if f_mid <= 1e-15:
                    high, f_high = mid, f_mid
                else:
                    low, f_low = mid, f_mid
                if abs(f_mid) < 1e-15:
                    break
            if best is None or high < best[0]:
                best = (high, key)
        return best

    def advance(self, t, longest):
        while t - self.t > 1e-15 * abs(t):
            step = min(t - self.t, longest)
            new = self.integrate(self.t, self.x, step)
            guards = self.guards(self.t + step, new)
            fired = [k for k, g in guards.items() if g < FIRED]
            if not fired:
                self.x, self.t = new, self.t + step
                continue
            length, key = self.locate(fired, step, new)
            if length > 0:
                self.x = self.integrate(self.t, self.x, length)
            self.t += length
            self.fire([key])
            self.settle()
        self.t = t


def combine(x, h, slopes, minus=None):
    """x + h * (slopes - minus), by parts."""
    if minus is None:
        return [[a + h * b for a, b in zip(u, v)] for u, v in zip(x, slopes)]
    return [[a + h * (b - c) for a, b, c in zip(u, v, w)] for u, v, w in zip(x, slopes, minus)]


def distance(x, y):
    return max((abs(a - b) / (1 + abs(a)) for u, v in zip(x, y) for a, b in zip(u, v)), default=0.0)


class Truth:
    """Values at the asked times, with the events between them."""

    def __init__(self, parts, start, times):
        world = World(parts)
        world.start(start)
        span = times[-1] - start
        self.rows = {}
        for t in times:
            world.advance(t, span / 250)
            self.rows[t] = world.values(t, world.x)
        self.events = world.events
        self.size = {}
        for row in list(self.rows.values()) + [r for e in self.events for r in e[1:3]]:
            for name, v in row.items():
                self.size[name] = max(self.size.get(name, 0.0), abs(v))
