"""No numbered rule is without a test.

T.., S.. and P.. are the sentences of the rule books of Pitch, Spades and Pit, T-A.., S-A.. and P-A.. the decisions on what they
leave open, TX.., SX.. and PX.. the worked cases. The tests that name an id say in their names and docstrings what it means.
"""

import ast
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parent
PITCH = """
    T0 T1 T2 T3 T4 T5a T5b T6 T7 T8 T9 T10 T11a T11b T12a T12b T13 T14 T15 T16 T17a T17b T18a T18b T19 T20 T21 T22 T23 T24 T25
    T-A1 T-A2 T-A3 T-A4 T-A5 T-A6 T-A7 T-A8 T-A9 T-A10 T-A11 T-A12 T-A13 T-A14 T-A15 T-A16 T-A17 T-A18 T-A19 T-A20 T-A21 T-A22
    T-A23 T-A24
    TX01 TX02 TX03 TX04 TX05 TX06 TX07 TX09 TX10 TX11 TX12 TX13 TX14 TX15 TX16 TX17 TX18 TX19 TX20 TX21 TX22 TX23 TX24 TX25 TX26
    TX28 TX29 TX30 TX32 TX33 TX34 TX35 TX36 TX37 TX38 TX39 TX40 TX42 TX43 TX45 TX47 TX48 TX49 TX50 TX51 TX52 TX53 TX54 TX55 TX56
    TX58
"""
SPADES = """
    S0 S1 S2 S3 S4 S5 S6 S7a S7b S8 S9 S10 S11 S12 S13a S13b S14 S15 S16 S17 S18 S19 S20a S20b S21 S22 S23a S23b S24 S25 S26 S27
    S28 S29 S30
    S-A1 S-A2 S-A3 S-A4 S-A5 S-A6 S-A7 S-A8 S-A9 S-A10 S-A11 S-A12 S-A13 S-A14 S-A15 S-A16 S-A17 S-A18 S-A19 S-A20 S-A21 S-A22
    S-A23 S-A24
    SX01 SX02 SX03 SX04 SX05 SX06 SX07 SX08 SX09 SX10 SX11 SX12 SX13 SX14 SX16 SX18 SX20 SX21 SX22 SX23 SX24 SX25 SX26 SX27 SX28
    SX29 SX31 SX32 SX33 SX34 SX35 SX36 SX37 SX39 SX40 SX41 SX42 SX43 SX45 SX46 SX47 SX48 SX49 SX50 SX52 SX53 SX54 SX55 SX56 SX57
    SX58 SX59 SX60 SX61 SX64 SX65
"""
PIT = """
    P0 P1 P2 P3 P4 P5 P6 P7 P8 P9 P10a P10b P11 P12 P13 P14 P15 P16 P17 P18 P19 P20 P21 P22 P23 P24 P25 P26 P27 P28 P29 P30 P31
    P32 P33 P34 P35 P36
    P-A1 P-A2 P-A3 P-A4 P-A5 P-A6 P-A7 P-A8 P-A9 P-A10 P-A11 P-A12 P-A13 P-A14 P-A15 P-A16 P-A17 P-A18 P-A19 P-A20 P-A21 P-A22
    P-A23 P-A24 P-A25
    PX01 PX02 PX03 PX04 PX05 PX06 PX07 PX08 PX10 PX11 PX12 PX13 PX14 PX15 PX17 PX18 PX19 PX20 PX21 PX22 PX23 PX24 PX25 PX26 PX27
    PX28 PX29 PX30 PX31 PX32 PX33 PX34 PX36 PX38 PX39 PX40 PX42 PX43 PX44 PX45 PX47 PX48
"""


def named_ids(path: Path) -> list[str]:
    """The ids in the `@rule_ids(...)` of a file's tests."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for call in getattr(node, "decorator_list", []):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "rule_ids":
                assert node.name.startswith("test_"), f"{path.name}: {node.name} is no test"
                found += [argument.value for argument in call.args]
    return found


def test_every_rule_id_has_a_test():
    named = Counter(name for path in TESTS.glob("**/test_*.py") for name in named_ids(path))
    rules = {*PITCH.split(), *SPADES.split(), *PIT.split()}
    assert not rules - set(named), "rules without a test"
    assert not set(named) - rules, "ids that no rule has"
