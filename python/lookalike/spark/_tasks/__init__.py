"""What runs in Spark's Python workers: functions of the batches of one partition.

Each task is a small value that is sent to the workers. Its engine is made there, once for each
worker. The modules follow the documents: lines, route, join_keys, join_few, verify, cluster,
guards, audit.
"""

from ._audit import (
    PLACES,
    SETS,
    SIMILAR,
    SUSPECTS,
    Compare,
    Lowest,
    Sample,
    SampleSets,
    Suspects,
)
from ._cluster import LINKS, Forest
from ._guards import DIFFERENCES, TOKENS, FindDifferences, FindTokens
from ._join_few import CountFeatures, CountGroups, JoinMeetings, Meet, SendGroups
from ._join_keys import Codes, Copies, JoinLarge, JoinSmall, Members
from ._lines import RECORDS, REJECTED, ReadLines
from ._route import Route
from ._task import VALUES, Rules
from ._verify import EDGES, VERIFIED, Checks, Distinct, Keep, Needed, Verify

__all__ = [
    "DIFFERENCES",
    "EDGES",
    "LINKS",
    "PLACES",
    "RECORDS",
    "REJECTED",
    "SETS",
    "SIMILAR",
    "SUSPECTS",
    "TOKENS",
    "VALUES",
    "VERIFIED",
    "Checks",
    "Codes",
    "Compare",
    "Copies",
    "CountFeatures",
    "CountGroups",
    "Distinct",
    "FindDifferences",
    "FindTokens",
    "Forest",
    "JoinLarge",
    "JoinMeetings",
    "JoinSmall",
    "Keep",
    "Lowest",
    "Meet",
    "Members",
    "Needed",
    "ReadLines",
    "Route",
    "Rules",
    "Sample",
    "SampleSets",
    "SendGroups",
    "Suspects",
    "Verify",
]
