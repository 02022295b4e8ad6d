// The forms of requests: bodies, and the parameters of queries.
#ifndef LOOKALIKE_SERVER_REQUEST_FORMS_H_
#define LOOKALIKE_SERVER_REQUEST_FORMS_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "forms.h"
#include "lookalike/index.h"
#include "schema.h"

namespace lookalike::server {

/// Most documents of a batch.
inline constexpr size_t kMostDocuments = 10'000;

inline constexpr Range kFromOne = {1, 1e15};
inline constexpr std::string_view kMetadata =
    "Whatever the caller wants back, up to 64 KiB. A text that is a JSON object or list comes back "
    "as one.";

inline constexpr Field kNewDocumentFields[] = {
    {"text", Field::Type::kText, true, "The text, in UTF-8."},
    {"metadata", Field::Type::kMetadata, false, kMetadata},
    {"fields", Field::Type::kMembers, false, kAboutFields},
};
inline constexpr Schema kNewDocument = {"NewDocument", kNewDocumentFields};

inline constexpr Field kDocumentFields[] = {
    {"id",
     Field::Type::kText,
     true,
     "The id, 1 to 1,024 bytes. One that is there already is replaced.",
     {},
     nullptr,
     {},
     1,
     kLongestIndexId},
    {"text", Field::Type::kText, true, "The text, in UTF-8."},
    {"metadata", Field::Type::kMetadata, false, kMetadata},
    {"fields", Field::Type::kMembers, false, kAboutFields},
};
inline constexpr Schema kDocument = {"Document", kDocumentFields};

inline constexpr Field kBatchFields[] = {
    {"documents",
     Field::Type::kList,
     true,
     "The documents, in the order in which they are added.",
     {0, kMostDocuments},
     &kDocument},
};
inline constexpr Schema kBatch = {"Batch", kBatchFields};

inline constexpr Field kQueryFields[] = {
    {"text", Field::Type::kText, false, "Find documents like this text."},
    {"id", Field::Type::kText, false, "Find documents like the one with this id, except itself."},
    {"fields", Field::Type::kMembers, false, kAboutFields},
    {"threshold", Field::Type::kNumber, false,
     "The least score of a match; that of the index if it is left out. For a lower one, every "
     "document is looked at.",
     kShare},
    {"top", Field::Type::kWhole, false, "Only the best matches.", kFromOne},
    {"limit",
     Field::Type::kWhole,
     false,
     "Matches that are returned at most; 100 if it is left out.",
     {1, 10'000}},
    {"exhaustive", Field::Type::kTruth, false,
     "Look at every document, so that nothing is missed."},
    {"measure",
     Field::Type::kWord,
     false,
     "The score; that of the index if it is left out.",
     {},
     nullptr,
     kMeasures},
    {"passages", Field::Type::kTruth, false,
     "Also return for each match where it has the same passages as the text, as compare does. The "
     "index must keep texts."},
};
inline constexpr Schema kQuery = {"Query", kQueryFields, kTextOrId};

inline constexpr Field kQueriesFields[] = {
    {"queries",
     Field::Type::kList,
     true,
     "The queries, which are answered in this order.",
     {0, 1'000},
     &kQuery},
};
inline constexpr Schema kQueries = {"Queries", kQueriesFields};

inline constexpr Field kSidesFields[] = {
    {"a", Field::Type::kObject, true, "One text.", {}, &kSide},
    {"b", Field::Type::kObject, true, "The other text.", {}, &kSide},
};
inline constexpr Schema kSides = {"Sides", kSidesFields};

inline constexpr Field kSeveralFields[] = {
    {"documents", Field::Type::kTexts, true, "The ids of two documents or more.", {2, 24}},
};
inline constexpr Schema kSeveral = {"Several", kSeveralFields};

inline constexpr Field kDecisionFields[] = {
    {"decision",
     Field::Type::kWord,
     true,
     "keep: the document stays in the place of the one that was kept. split: the documents are not "
     "the same as the others of their cluster, and stay. merge: they are the same.",
     {},
     nullptr,
     kDecisionKinds},
    {"cluster", Field::Type::kWhole, true, "The number of the cluster.", kFromOne},
    {"documents", Field::Type::kTexts, true, "The keys of the documents.", {0, 1'000}},
};
inline constexpr Schema kDecision = {"Decision", kDecisionFields};

inline constexpr Schema kNothing = {"Nothing", {}};

inline constexpr Field kBackupFields[] = {
    {"name",
     Field::Type::kText,
     true,
     "The folder of the copy, below that of all backups.",
     {},
     nullptr,
     {},
     1,
     100,
     "^[A-Za-z0-9_-][A-Za-z0-9_.-]*$"},
};
inline constexpr Schema kBackup = {"Backup", kBackupFields};

inline constexpr Field kUnlessSimilar[] = {
    {"unless_similar", Field::Type::kNumber, false,
     "Leave a document out that reaches this resemblance with another one.", kShare},
};
inline constexpr Field kClusterParameters[] = {
    {"threshold", Field::Type::kNumber, false, "Cut the clusters at a higher threshold.", kShare},
    {"after", Field::Type::kText, false,
     "Go on after the cluster of this name: `next` of an answer."},
    {"limit", Field::Type::kWhole, false, "Clusters that are returned at most.", {1, 10'000}},
};
inline constexpr Field kOneClusterParameters[] = {
    {"threshold", Field::Type::kNumber, false, "Cut the clusters at a higher threshold.", kShare},
};
inline constexpr Field kChangesParameters[] = {
    {"since", Field::Type::kWhole, false, "Only changes with a higher number.", {0, 1e15}},
    {"limit", Field::Type::kWhole, false, "Changes that are returned at most.", {1, 100'000}},
};
inline constexpr Field kStatsParameters[] = {
    {"audit",
     Field::Type::kWhole,
     false,
     "Measure the recall of queries for so many documents.",
     {1, 10'000}},
};

inline constexpr Field kFindParameters[] = {
    {"q", Field::Type::kText, false,
     "What to look for: words, id:TEXT, source:TEXT, sim:>.9, size:>10, kind:near, decided:yes; a "
     "- in front negates."},
    {"after",
     Field::Type::kWhole,
     false,
     "Go on after so many clusters: `next` of an answer.",
     {0, 1e15}},
    {"limit", Field::Type::kWhole, false, "Clusters that are returned at most.", {1, 1'000}},
};
inline constexpr Field kMemberParameters[] = {
    {"after",
     Field::Type::kWhole,
     false,
     "Go on after so many documents: `next` of an answer.",
     {0, 1e15}},
    {"limit", Field::Type::kWhole, false, "Documents that are returned at most.", {1, 10'000}},
};

inline constexpr Field kFindingParameters[] = {
    {"kind", Field::Type::kWord, true, "What was found.", {}, nullptr, kFindingKinds},
    {"after",
     Field::Type::kWhole,
     false,
     "Go on after so many findings: `next` of an answer.",
     {0, 1e15}},
    {"limit", Field::Type::kWhole, false, "Findings that are returned at most.", {1, 1'000}},
};

inline constexpr Field kGuardedParameters[] = {
    {"after", Field::Type::kWhole, false, "Go on there: `next` of an answer.", {0, 1e15}},
    {"limit", Field::Type::kWhole, false, "Pairs that are returned at most.", {1, 1'000}},
};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_REQUEST_FORMS_H_
