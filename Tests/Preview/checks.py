"""Counts the checks and collects those that failed."""
import sys


class Check:
    def __init__(self):
        self.count = 0
        self.faults = []

    def that(self, holds, what):
        self.count += 1
        if not holds:
            self.faults.append(what)
            if len(self.faults) <= 20:
                print(f"wrong: {what}", file=sys.stderr)

    def same(self, found, wanted, what):
        self.that(found == wanted, f"{what}: {short(found)} is not {short(wanted)}")


def short(value):
    text = repr(value)
    return text if len(text) < 300 else text[:300] + "…"
