"""What runs in Spark's Python workers: functions of the batches of one partition.

Each task is a small value that is sent to the workers. Its engine is made there, once for each
worker. The modules follow the documents: lines, route, join_keys, join_few, verify, cluster,
audit.
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
from ._join_few import CountFeatures, CountGroups, JoinMeetings, Meet, SendGroups
from ._join_keys import Codes, Copies, JoinLarge, JoinSmall, Members
from ._lines import RECORDS, REJECTED, ReadLines
from ._route import Route
from ._task import Rules
from ._verify import EDGES, Checks, Distinct, Keep, Needed, Verify

__all__ = [
    "EDGES",
    "LINKS",
    "PLACES",
    "RECORDS",
    "REJECTED",
    "SETS",
    "SIMILAR",
    "SUSPECTS",
    "Checks",
    "Codes",
    "Compare",
    "Copies",
    "CountFeatures",
    "CountGroups",
    "Distinct",
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
