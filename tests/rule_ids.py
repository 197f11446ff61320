"""`@rule_ids("T17a", "TX15")` says which numbered rules a test checks; `test_rule_ids.py` lists those without a test."""


def rule_ids(*ids: str):
    def mark(test):
        test.rule_ids = ids
        return test

    return mark
