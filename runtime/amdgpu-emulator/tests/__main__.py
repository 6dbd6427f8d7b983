"""Runs the tests with a line for each: `python runtime/amdgpu-emulator/tests [FILTER]`."""

import pathlib
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]


def flat(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from flat(item)
        else:
            yield item


class Progress(unittest.TestResult):
    def __init__(self, total):
        super().__init__()
        self.total, self.failed = total, 0

    def startTest(self, test):
        super().startTest(test)
        self.begun = time.monotonic()
        print(f"[{self.testsRun}/{self.total}] {test.id()} ", end="", flush=True)

    def stopTest(self, test):
        bad = [
            text
            for case, text in self.failures + self.errors
            if case is test or getattr(case, "test_case", None) is test
        ]
        self.failed += bool(bad)
        skipped = any(case is test for case, _ in self.skipped)
        print(
            "FAILED" if bad else "skipped" if skipped else "ok",
            f"{time.monotonic() - self.begun:.1f} s",
            flush=True,
        )
        for text in bad:
            print(text)
        super().stopTest(test)


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    tests = [t for t in flat(unittest.defaultTestLoader.discover(str(HERE))) if wanted in t.id()]
    result = Progress(len(tests))
    unittest.TestSuite(tests).run(result)
    failed = result.failed
    print(
        f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed, {len(result.skipped)} skipped"
    )
    return 1 if failed or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
