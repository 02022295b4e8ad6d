#include "answer_forms.h"

#include <array>

#include "forms.h"

namespace lookalike::server::forms {
namespace {

using Type = Field::Type;

constexpr Field Text(std::string_view name, std::string_view about) {
  return {name, Type::kText, true, about};
}

constexpr Field Texts(std::string_view name, std::string_view about) {
  return {name, Type::kTexts, true, about};
}

constexpr Field Number(std::string_view name, std::string_view about, Range range = {}) {
  return {name, Type::kNumber, true, about, range};
}

constexpr Field Count(std::string_view name, std::string_view about) {
  return {name, Type::kWhole, true, about, {.least = 0}};
}

constexpr Field Truth(std::string_view name, std::string_view about) {
  return {name, Type::kTruth, true, about};
}

constexpr Field Word(std::string_view name, std::string_view about,
                     std::span<const std::string_view> words) {
  return {name, Type::kWord, true, about, {}, nullptr, words};
}

constexpr Field Members(std::string_view name, std::string_view about) {
  return {name, Type::kMembers, true, about};
}

constexpr Field Object(std::string_view name, std::string_view about, const Schema& schema) {
  return {name, Type::kObject, true, about, {}, &schema};
}

constexpr Field List(std::string_view name, std::string_view about, const Schema& schema) {
  return {name, Type::kList, true, about, {}, &schema};
}

/// A member that some answers do not have.
constexpr Field Maybe(Field field) {
  field.required = false;
  return field;
}

/// A member that may be null.
constexpr Field OrNull(Field field) {
  field.nullable = true;
  return field;
}

/// A form to which members may be added.
constexpr Schema Open(std::string_view name, std::span<const Field> fields) {
  return {name, fields, {}, true};
}

constexpr Range kFrom0To1 = {0, 1};
constexpr std::string_view kAboutResemblance = "The resemblance: |A and B| / |A or B| of features.";
constexpr std::string_view kAboutAb = "The share of a's features that b has.";
constexpr std::string_view kAboutBa = "The share of b's features that a has.";
constexpr std::string_view kAboutPassages =
    "Where both texts have the same features one after the other, sorted by a_begin.";
constexpr std::string_view kAboutNext = "What `after` takes to go on; null at the end.";
constexpr std::string_view kAboutMetadata = "What was given with the document; absent if nothing.";
constexpr std::string_view kAboutError =
    "The standard error of the resemblance, where it is an estimate.";

// Members that say where a document of a result is.
constexpr Field kKey = Maybe(Text("key", "The id by which its text can be asked for."));
constexpr Field kSource = Maybe(Text("source", "The input."));
constexpr Field kRow = Maybe(Count("row", "The row of the input, from 1."));
constexpr Field kPlace = Text("place", "The input and its row.");

}  // namespace

constexpr Field kProblemFields[] = {
    Text("type", "about:blank."),
    Text("title", "The meaning of the status."),
    {"status", Type::kWhole, true, "The status of the answer.", {400, 599}},
    Text("detail", "What is wrong, and what to do."),
};
constexpr Schema kProblem = Open("Problem", kProblemFields);

constexpr std::array<std::string_view, 1> kOk = {"ok"};
constexpr Field kStateFields[] = {Word("status", "It is well.", kOk)};
constexpr Schema kState = Open("State", kStateFields);

constexpr Field kRemovedFields[] = {Count("removed", "How many were removed.")};
constexpr Schema kRemoved = Open("Removed", kRemovedFields);

constexpr Field kStoredDocumentFields[] = {
    Text("id", "The id."),
    Count("features", "How many different features its text has."),
    Maybe({"metadata", Type::kMetadata, true, kAboutMetadata}),
    Maybe(Text("text", "The text; only if the index keeps texts.")),
};
constexpr Schema kStoredDocument = Open("StoredDocument", kStoredDocumentFields);

constexpr Field kPassageFields[] = {
    Count("a_begin", "Its begin in a, in code points."),
    Count("a_end", "Its end in a."),
    Count("b_begin", "Its begin in b."),
    Count("b_end", "Its end in b."),
};
constexpr Schema kPassage = Open("Passage", kPassageFields);

constexpr Field kMatchFields[] = {
    Text("id", "The id of the document."),
    Number("resemblance", kAboutResemblance, kFrom0To1),
    Truth("exact", "True if the score is exact, false if it is an estimate."),
    Maybe(Number("containment_ab", kAboutAb, kFrom0To1)),
    Maybe(Number("containment_ba", kAboutBa, kFrom0To1)),
    Maybe(Number("standard_error", kAboutError)),
    Maybe({"metadata", Type::kMetadata, true, kAboutMetadata}),
    Maybe(List("passages", kAboutPassages, kPassage)),
};
constexpr Schema kMatch = Open("Match", kMatchFields);

constexpr std::array<std::string_view, 4> kAddOutcomes = {"added", "replaced", "unchanged",
                                                          "similar"};
constexpr Field kOutcomeFields[] = {
    Word("outcome", "What became of the document; similar: it was left out.", kAddOutcomes),
    Maybe(Object("like", "The document that it is like, if it was left out.", kMatch)),
};
constexpr Schema kOutcome = Open("Outcome", kOutcomeFields);

constexpr Field kOutcomesFields[] = {
    List("outcomes", "One for each document, in their order.", kOutcome),
};
constexpr Schema kOutcomes = Open("Outcomes", kOutcomesFields);

constexpr Field kMatchesFields[] = {
    List("matches", "The documents, the best first.", kMatch),
    Truth("truncated", "True if there are more than `limit`."),
    Count("candidates", "How many documents were compared with."),
};
constexpr Schema kMatches = Open("Matches", kMatchesFields);

constexpr Field kAnswersFields[] = {
    List("answers", "One for each query, in their order.", kMatches),
};
constexpr Schema kAnswers = Open("Answers", kAnswersFields);

constexpr Field kDifferenceFields[] = {
    Text("guard", "The guard, as --differ takes it."),
    Texts("only_a", "The first tokens that only a has."),
    Texts("only_b", "The first tokens that only b has."),
    Count("count_a", "How many tokens only a has."),
    Count("count_b", "How many tokens only b has."),
};
constexpr Schema kDifference = Open("GuardDifference", kDifferenceFields);

constexpr std::array<std::string_view, 4> kWays = {"keys", "features", "comparison", "nothing"};
constexpr Field kMeetingFields[] = {
    Word("by", "What makes two such texts meet in a search.", kWays),
    Maybe(Count("shared", "Keys that both have.")),
    Maybe(Count("keys", "Keys that each has.")),
    Maybe(Number("probability", "The probability that such a pair shares a key.", kFrom0To1)),
};
constexpr Schema kMeeting = Open("Meeting", kMeetingFields);

constexpr Field kComparisonFields[] = {
    Number("resemblance", kAboutResemblance, kFrom0To1),
    Maybe(Truth("exact", "False where the resemblance is an estimate, else absent.")),
    Maybe(Number("standard_error", kAboutError)),
    Count("common", "Features that both have."),
    Count("size_a", "Features of a."),
    Count("size_b", "Features of b."),
    Number("containment_ab", kAboutAb, kFrom0To1),
    Number("containment_ba", kAboutBa, kFrom0To1),
    List("passages", kAboutPassages, kPassage),
    List("guards", "Which guards would tell the two apart, and by what.", kDifference),
    Maybe(Object("met", "Why a search meets the two; only of a batch result.", kMeeting)),
};
constexpr Schema kComparison = Open("Comparison", kComparisonFields);

constexpr Field kScoresFields[] = {
    Texts("documents", "The ids, as they were given."),
    {"scores", Type::kTable, true,
     "scores[i][j]: the resemblance of i and j, or the share of i that j contains."},
};
constexpr Schema kScores = Open("Scores", kScoresFields);

constexpr Field kIndexClusterFields[] = {
    Text("cluster", "Its name, which it keeps as long as it lives."),
    Texts("members", "The ids of its documents, the oldest first."),
};
constexpr Schema kIndexCluster = Open("IndexCluster", kIndexClusterFields);

constexpr Field kIndexClustersFields[] = {
    List("clusters", "The clusters, the oldest first.", kIndexCluster),
    OrNull(Text("next", kAboutNext)),
};
constexpr Schema kIndexClusters = Open("IndexClusters", kIndexClustersFields);

constexpr std::array<std::string_view, 5> kChangeKinds = {"added", "joined", "merged", "split",
                                                          "removed"};
constexpr Field kChangeFields[] = {
    Count("seq", "Its number."),
    Word("change", "What happened.", kChangeKinds),
    Text("cluster", "The cluster."),
    Texts("documents", "The documents that came, went or moved."),
    Texts("from", "The clusters that it was made of."),
};
constexpr Schema kChange = Open("Change", kChangeFields);

constexpr Field kChangesFields[] = {
    List("changes", "The changes, in order.", kChange),
    Truth("more", "True if there are more; go on with `since`."),
};
constexpr Schema kChanges = Open("Changes", kChangesFields);

constexpr Field kMeasuredFields[] = {
    Number("asked", "The recall that the index was made for.", kFrom0To1),
    OrNull(Number("estimate", "The share of matches that queries find.", kFrom0To1)),
    OrNull(Number("low", "The lower end of its interval of 95 %.", kFrom0To1)),
    OrNull(Number("high", "The upper end.", kFrom0To1)),
    Truth("met", "False if the interval ends below what was asked for."),
    Count("sampled_documents", "Documents that were asked for."),
    Count("sampled_matches", "Matches that they have."),
};
constexpr Schema kMeasured = Open("MeasuredRecall", kMeasuredFields);

constexpr std::array<std::string_view, 3> kKept = {"none", "features", "text"};
constexpr Field kStatsFields[] = {
    Count("documents", "How many documents there are."),
    Count("bytes", "The size of its files."),
    Word("keep", "What is kept of documents.", kKept),
    Text("keys", "The keys that documents are found by."),
    Number("threshold", "The least resemblance of documents that are alike.", kFrom0To1),
    Texts("differ", "The guards."),
    Texts("same", "The fields whose values are equal in documents that are alike."),
    Maybe(Object("recall", "Only if `audit` is given.", kMeasured)),
};
constexpr Schema kStats = Open("Stats", kStatsFields);

constexpr Field kGrowthFields[] = {
    {"growth", Type::kTable, true, "Pairs of seconds since 1970 and documents, in order."},
};
constexpr Schema kGrowth = Open("Growth", kGrowthFields);

constexpr std::array<std::string_view, 2> kOperationKinds = {"compact", "backup"};
constexpr std::array<std::string_view, 3> kOperationStates = {"running", "done", "failed"};
constexpr Field kOperationFields[] = {
    Text("operation", "The path of its state."),
    Word("kind", "What is done.", kOperationKinds),
    Word("state", "Its state.", kOperationStates),
    Maybe(Text("error", "Why it failed.")),
};
constexpr Schema kOperation = Open("Operation", kOperationFields);

constexpr Field kPlacedFields[] = {
    kKey,
    Text("id", "The id."),
    kSource,
    kRow,
    Maybe(Truth("reference", "True if the input is of --against.")),
};
constexpr Schema kPlaced = Open("ResultDocument", kPlacedFields);

constexpr std::array<std::string_view, 4> kTextStates = {"none", "reading", "ready", "failed"};
constexpr Field kTextsFields[] = {
    Word("state", "Whether texts can be asked for.", kTextStates),
    Maybe(Count("documents", "Documents that were read.")),
    Maybe(Count("of", "Documents that there are.")),
    Maybe(Text("why", "Why reading failed.")),
};
constexpr Schema kTexts = Open("Texts", kTextsFields);

constexpr Field kReasonFields[] = {
    Text("reason", "What is wrong with the records."),
    Count("records", "How many there are."),
};
constexpr Schema kReason = Open("Rejections", kReasonFields);

constexpr Field kRecordsFields[] = {
    Count("in", "Records that were read."),
    Count("kept", "Documents that stay."),
    Count("removed_exact", "Copies that were removed."),
    Count("removed_near", "Near-duplicates that were removed."),
    Count("rejected", "Records that are no documents."),
};
constexpr Schema kRecords = Open("Records", kRecordsFields);

constexpr Field kResultFields[] = {
    Text("name", "The name of its folder."),
    Number("threshold", "The threshold of the run.", kFrom0To1),
    Word("measure", "The measure of the run.", kMeasures),
    Texts("keep", "Which of several near-duplicates stays, the first criterion first."),
    Count("clusters", "How many clusters there are."),
    Object("texts", "Whether texts can be asked for.", kTexts),
    Count("decisions", "How many decisions people made."),
    Truth("audit", "True if a list of another program was audited."),
    Texts("agree", "The fields of --agree."),
    Truth("replayed", "True if the run replayed what people had decided (--decisions)."),
    List("rejections", "Why records were rejected, the commonest reason first.", kReason),
    Object("records", "What became of the records.", kRecords),
    Maybe(Members("recall", "The measured recall, as in manifest.json.")),
    Maybe(Count("guarded_pairs", "Pairs that guards kept apart; only of a run with guards.")),
};
constexpr Schema kResult = Open("Result", kResultFields);

/// The data of report.html, which are the page's own.
constexpr Schema kReport = Open("Report", {});

constexpr Field kGuardedPairFields[] = {
    Object("a", "One document.", kPlaced),
    Object("b", "The other one.", kPlaced),
    Number("resemblance", kAboutResemblance, kFrom0To1),
    Members("differ", "By guard, a list of the tokens that only a has, and one of those of b."),
};
constexpr Schema kGuardedPair = Open("GuardedPair", kGuardedPairFields);

constexpr Field kGuardedPairsFields[] = {
    List("pairs", "The pairs, in the order of guarded.jsonl.", kGuardedPair),
    OrNull(Text("next", kAboutNext)),
};
constexpr Schema kGuardedPairs = Open("GuardedPairs", kGuardedPairsFields);

constexpr Field kClusterRowFields[] = {
    Count("cluster", "Its number."),
    Count("size", "How many documents it has."),
    OrNull(
        Object("kept", "The document that stays; null if none of its cluster is listed.", kPlaced)),
    Count("near", "Near-duplicates that were removed."),
    Count("copies", "Copies that were removed."),
    OrNull(Number("lowest", "The lowest score of a near-duplicate; null if there is none.",
                  kFrom0To1)),
    OrNull(Number("highest", "The highest one.", kFrom0To1)),
    Count("decisions", "How many decisions people made about it."),
};
constexpr Schema kClusterRow = Open("ClusterRow", kClusterRowFields);

constexpr Field kClustersFields[] = {
    List("clusters", "The clusters that were found.", kClusterRow),
    OrNull(Text("next", kAboutNext)),
    Count("looked_at", "Clusters up to where it looked."),
    Count("of", "Clusters that there are."),
};
constexpr Schema kClusters = Open("Clusters", kClustersFields);

constexpr std::array<std::string_view, 3> kRemovalKinds = {"near", "exact", "identical"};
constexpr Field kMemberFields[] = {
    kKey,
    Text("id", "The id."),
    kSource,
    kRow,
    Word("kind", "identical: equal bytes. exact: equal features. near: the score decides.",
         kRemovalKinds),
    Number("resemblance", "The resemblance to the document of `duplicate_of`.", kFrom0To1),
    Maybe(Number("containment_ab", kAboutAb, kFrom0To1)),
    Maybe(Number("containment_ba", kAboutBa, kFrom0To1)),
    Maybe(Text("kept_by",
               "What decided that the other one stays; absent if `keep` is `first` alone.")),
    Object("duplicate_of", "The document that stays for it.", kPlaced),
};
constexpr Schema kMember = Open("Member", kMemberFields);

constexpr Field kClusterFields[] = {
    Count("cluster", "Its number."),
    Count("size", "How many documents it has."),
    List("kept", "The documents that stay.", kPlaced),
    List("members", "The documents that were removed, in input order.", kMember),
    OrNull(Text("next", kAboutNext)),
};
constexpr Schema kCluster = Open("Cluster", kClusterFields);

constexpr Field kValueFields[] = {
    OrNull(Text("value", "The value; null: it is missing.")),
    Count("documents", "How many documents have it."),
};
constexpr Schema kValue = Open("FieldValue", kValueFields);

constexpr Field kConflictFields[] = {
    Text("field", "The field."),
    Count("different", "How many different values there are."),
    List("values", "The commonest ones.", kValue),
};
constexpr Schema kConflict = Open("FieldConflict", kConflictFields);

constexpr Field kConflictsFields[] = {
    Count("looked_at", "Documents that were looked at."),
    Count("of", "Documents of the cluster."),
    List("conflicts", "The fields in which documents differ.", kConflict),
};
constexpr Schema kConflicts = Open("Conflicts", kConflictsFields);

constexpr Field kAuditFields[] = {
    Count("audit", "The version of the form."),
    Text("result", "The hash of the result that it was made beside."),
    Text("list", "The list of the other program."),
    Members("summary", "The counts; docs/format/audit-v1.md describes them and findings."),
};
constexpr Schema kAudit = Open("Audit", kAuditFields);

constexpr Field kNamedFields[] = {
    Text("id", "The id."),
    kPlace,
};
constexpr Schema kNamed = Open("NamedDocument", kNamedFields);

constexpr Field kLikenessFields[] = {
    Text("id", "The id."),
    kPlace,
    Number("resemblance", kAboutResemblance, kFrom0To1),
};
constexpr Schema kLikeness = Open("Likeness", kLikenessFields);

constexpr Field kFindingFields[] = {
    Word("kind", "What was found.", kFindingKinds),
    Object("document", "The document.", kNamed),
    OrNull(Object("other", "The document that decides.", kLikeness)),
    OrNull(Object("reason", "What the list says that it was removed for.", kLikeness)),
    OrNull(Object("copy", "The nearest document that was removed as well.", kLikeness)),
    Maybe(OrNull(Object("guarded", "The one that a guard tells apart.", kLikeness))),
    OrNull(Count("cluster", "The cluster of the result that the document is in.")),
};
constexpr Schema kFinding = Open("Finding", kFindingFields);

constexpr Field kFindingsFields[] = {
    List("findings", "The findings, in input order.", kFinding),
    Count("of", "How many there are of this kind."),
    OrNull(Text("next", kAboutNext)),
};
constexpr Schema kFindings = Open("Findings", kFindingsFields);

constexpr Field kStoredDecisionFields[] = {
    Count("number", "Its number, by which it can be taken back."),
    Word("decision", "What was decided.", kDecisionKinds),
    Count("cluster", "The cluster."),
    List("documents", "The documents that it is about.", kPlaced),
};
constexpr Schema kStoredDecision = Open("StoredDecision", kStoredDecisionFields);

constexpr Field kDecisionsFields[] = {
    Text("file", "The file that they are stored in."),
    List("decisions", "The decisions, the oldest first.", kStoredDecision),
};
constexpr Schema kDecisions = Open("Decisions", kDecisionsFields);

/// The names of ways to say who the caller is.
constexpr Schema kSecurity = Open("Security", {});

constexpr Field kOpenApiFields[] = {
    Text("openapi", "The version of the specification."),
    Members("info", "What this is."),
    Members("paths", "The endpoints."),
    Members("components", "The forms of bodies and answers, and how a caller says who it is."),
    List("security", "Ways to say who the caller is; one is enough.", kSecurity),
};
constexpr Schema kOpenApi = Open("OpenApi", kOpenApiFields);

}  // namespace lookalike::server::forms
