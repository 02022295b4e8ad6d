// A removal is justified if a document that stays reaches the threshold with it. The usual search
// justifies nearly all; each of the others is compared with every document that stays, so that no
// removal is called false because our own search missed its pair. What the list missed is what
// `dedup` removes from the documents that stay.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "format/json_text.h"
#include "io/output_stream.h"
#include "io/pending_output.h"
#include "lookalike/fingerprint.h"
#include "lookalike/index.h"
#include "lookalike/list_audit.h"
#include "lookalike/options_table.h"
#include "lookalike/result_lists.h"
#include "lookalike/sink.h"
#include "results/summary_parts.h"
#include "run/no_exceptions.h"
#include "run/pair_guards.h"
#include "run/run_facts.h"
#include "stages/guards/guard_reader.h"
#include "stages/guards/guard_spec.h"
#include "uses/audit/collection.h"
#include "uses/audit/listed.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

/// Below the threshold, the nearest document is named down to this resemblance.
constexpr double kNamedFrom = 0.5;
/// Pairs that are compared in one pass over the texts, while features of their documents are in
/// memory: at most, at least, and by how much memory there is.
constexpr size_t kPairsPerPass = 100'000;
constexpr size_t kFewestPairs = 1'000;
constexpr uint64_t kMemoryPerPair = uint64_t{64} << 10;

enum class FindingKind : uint8_t { kFalseRemoval, kMissed, kFalsePair, kMissedPair };
constexpr std::array<std::string_view, 4> kFindingNames = {"false_removal", "missed", "false_pair",
                                                           "missed_pair"};

/// A document and another one, with their resemblance.
struct Likeness {
  AuditedDoc doc = kNoDoc;
  double resemblance = 0;
};
using Neighbours = std::unordered_map<AuditedDoc, Likeness>;

struct Finding {
  FindingKind kind;
  AuditedDoc doc;
  Likeness other = {};    ///< The one that decides; kNoDoc: no document is near.
  Likeness reason = {};   ///< The one that the list names; kNoDoc: nothing.
  Likeness copy = {};     ///< A near-duplicate that was removed as well; kNoDoc: there is none.
  Likeness guarded = {};  ///< One that would decide otherwise but for a guard; kNoDoc: none.
  uint64_t cluster = 0;   ///< In our result; 0: none.
};

struct DocPairToCompare {
  AuditedDoc a, b;
  double resemblance = 0;
  bool guarded = false;  ///< A guard, or a field, keeps them from being near-duplicates.
};

AuditedDoc NumberOf(std::string_view id) {
  AuditedDoc doc = kNoDoc;
  (void)std::from_chars(id.data(), id.data() + id.size(), doc);
  return doc;
}

/// Returns common features / all features of two sets, ascending.
double ResemblanceOf(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  size_t common = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    common += *x == *y;
    const bool first = *x <= *y, second = *y <= *x;
    x += first;
    y += second;
  }
  return static_cast<double>(common) / static_cast<double>(a.size() + b.size() - common);
}

/// Takes the nearest neighbour of each document, other than itself.
class NearestSink : public ResultSink {
 public:
  Status Begin(const ResultLayout& /*layout*/) override {
    found.clear();
    return {};
  }
  Status TakePair(const PairRow& row) override {
    const AuditedDoc doc = NumberOf(row.a.id), other = NumberOf(row.b.id);
    if (doc != other) found.try_emplace(doc, Likeness{other, row.figures.resemblance});
    return {};
  }

  Neighbours found;
};

/// Takes what `dedup` would remove, as findings.
class MissedSink : public ResultSink {
 public:
  Status Begin(const ResultLayout& /*layout*/) override {
    found.clear();
    return {};
  }
  Status TakeRemoval(const RemovalRow& row) override {
    found.push_back({FindingKind::kMissed,
                     NumberOf(row.document.id),
                     {NumberOf(row.witness.id), row.resemblance}});
    return {};
  }

  std::vector<Finding> found;
};

/// Takes all pairs, marks those that are listed, and keeps the others as findings.
class PairSink : public ResultSink {
 public:
  using Listed = std::map<std::pair<AuditedDoc, AuditedDoc>, bool>;  // true: found

  explicit PairSink(Listed* listed) : listed_(*listed) {}

  Status Begin(const ResultLayout& /*layout*/) override {
    missed.clear();
    for (auto& [pair, found] : listed_) found = false;
    return {};
  }
  Status TakePair(const PairRow& row) override {
    const AuditedDoc a = NumberOf(row.a.id), b = NumberOf(row.b.id);
    const auto at = listed_.find(std::minmax(a, b));
    if (at != listed_.end()) {
      at->second = true;
    } else {
      missed.push_back({FindingKind::kMissedPair, a, {b, row.figures.resemblance}});
    }
    return {};
  }

  std::vector<Finding> missed;

 private:
  Listed& listed_;
};

/// One audit of a collection that is split already.
class Auditor {
 public:
  Auditor(const AuditedInputs& inputs, const AuditedCollection& collection, std::string folder,
          ListAudit* audit)
      : inputs_(inputs), collection_(collection), folder_(std::move(folder)), audit_(*audit) {}

  /// Reads the guards. Must be the first call.
  Status Begin() {
    const Options& options = inputs_.comparing;
    LOOKALIKE_ASSIGN_OR_RETURN(guards_,
                               ParseGuards(options.differ, options.same, options.not_same));
    if (guards_.any()) audit_.guarded = 0;
    return {};
  }

  Result<std::vector<Finding>> JudgeRemovals() {
    std::vector<Finding> findings;
    if (audit_.removed > 0) {
      LOOKALIKE_ASSIGN_OR_RETURN(findings, FalseRemovals());
    }
    audit_.false_removals = findings.size();
    if (audit_.documents == audit_.removed) return findings;
    MissedSink missed;
    LOOKALIKE_ASSIGN_OR_RETURN(
        const DedupSummary summary,
        Dedup({collection_.stays()}, &missed, inputs_.comparing, inputs_.observer));
    LOOKALIKE_RETURN_IF_ERROR(CheckWhole(summary.records));
    audit_.recall = summary.recall;
    audit_.missed = missed.found.size();
    findings.insert(findings.end(), missed.found.begin(), missed.found.end());
    return findings;
  }

  Result<std::vector<Finding>> JudgePairs(const Listed& list) {
    PairSink::Listed listed;
    for (const auto& [a, b] : list.pairs) {
      const AuditedDoc x = collection_.DocOf(a), y = collection_.DocOf(b);
      if (x != kNoDoc && y != kNoDoc && x != y) listed.emplace(std::minmax(x, y), false);
    }
    audit_.pairs = listed.size();
    PairSink sink(&listed);
    LOOKALIKE_ASSIGN_OR_RETURN(
        const PairsSummary summary,
        Pairs({collection_.stays()}, &sink, inputs_.comparing, inputs_.observer));
    LOOKALIKE_RETURN_IF_ERROR(CheckWhole(summary.records));
    audit_.recall = summary.recall;
    audit_.missed_pairs = sink.missed.size();
    std::vector<DocPairToCompare> doubtful;
    for (const auto& [pair, found] : listed) {
      if (!found) doubtful.push_back({pair.first, pair.second});
    }
    LOOKALIKE_RETURN_IF_ERROR(Compare(doubtful));
    std::vector<Finding> findings;
    for (const DocPairToCompare& pair : doubtful) {
      const bool reaches = pair.resemblance >= audit_.threshold;
      if (reaches && !pair.guarded) continue;
      const Likeness other = {pair.b, pair.resemblance};
      findings.push_back({FindingKind::kFalsePair, pair.a, other});
      if (!reaches) continue;
      findings.back().guarded = other;
      ++*audit_.guarded;
    }
    audit_.false_pairs = findings.size();
    findings.insert(findings.end(), sink.missed.begin(), sink.missed.end());
    return findings;
  }

 private:
  /// Returns the nearest other document of `among`, for each document of `file` that has one.
  Result<Neighbours> FindNearest(const std::string& file, const std::string& among,
                                 Options options) {
    options.top = 2;  // one of them may be the document itself
    options.against = {among};
    NearestSink sink;
    LOOKALIKE_ASSIGN_OR_RETURN(const NearestSummary summary,
                               Nearest({file}, &sink, options, inputs_.observer));
    LOOKALIKE_RETURN_IF_ERROR(CheckWhole(summary.records));
    return std::move(sink.found);
  }

  /// Does the same for the doubtful documents among those that stay, and misses nothing from a
  /// threshold on.
  Result<Neighbours> FindNearestOfAll(Options all, double threshold) {
    all.method = "exact";
    all.design = Options{}.design;
    all.threshold = threshold;
    auto found = FindNearest(DoubtfulFile(), collection_.stays(), std::move(all));
    if (found || found.error().code != ErrorCode::kMemory) return found;
    Error error = std::move(found).error();
    error.what = error.what.substr(0, error.what.find(" or use $<method")) +
                 ", so that removals can be compared with all that stay";
    return tl::make_unexpected(std::move(error));
  }

  Result<std::vector<Finding>> FalseRemovals() {
    Neighbours justified;
    const bool some_stay = audit_.documents > audit_.removed;
    if (some_stay) {
      LOOKALIKE_ASSIGN_OR_RETURN(
          justified, FindNearest(collection_.gone(), collection_.stays(), inputs_.comparing));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const auto doubtful, StoreDoubtful(justified));
    Neighbours near, guarded;
    if (some_stay && !doubtful.empty()) {
      const double least = std::min(kNamedFrom, audit_.threshold);
      LOOKALIKE_ASSIGN_OR_RETURN(near, FindNearestOfAll(inputs_.comparing, least));
      LOOKALIKE_ASSIGN_OR_RETURN(guarded, FindGuarded());
    }
    Neighbours copies;
    if (!doubtful.empty()) {
      LOOKALIKE_ASSIGN_OR_RETURN(
          copies, FindNearest(DoubtfulFile(), collection_.gone(), inputs_.comparing));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const Wordless wordless, CompareWordless());
    std::vector<Finding> findings;
    for (const AuditedDoc doc : doubtful) {
      if (wordless.same.contains(doc)) continue;
      const Likeness other = Of(near, doc);
      if (other.doc != kNoDoc && other.resemblance >= audit_.threshold) continue;
      findings.push_back({FindingKind::kFalseRemoval, doc, other, {}, Of(copies, doc)});
      audit_.lost_with_copies += findings.back().copy.doc != kNoDoc;
      findings.back().guarded =
          Of(wordless.guarded.contains(doc) ? wordless.guarded : guarded, doc);
      if (findings.back().guarded.doc != kNoDoc) ++*audit_.guarded;
    }
    LOOKALIKE_RETURN_IF_ERROR(CompareReasons(&findings));
    return findings;
  }

  /// Returns, for each doubtful document, the nearest one that stays and reaches the threshold if
  /// guards do not count.
  Result<Neighbours> FindGuarded() {
    if (!guards_.any()) return Neighbours();
    Options unguarded = inputs_.comparing;
    unguarded.differ.clear();
    unguarded.same.clear();
    unguarded.not_same.clear();
    return FindNearestOfAll(std::move(unguarded), audit_.threshold);
  }

  static Likeness Of(const Neighbours& neighbours, AuditedDoc doc) {
    const auto at = neighbours.find(doc);
    return at == neighbours.end() ? Likeness{} : at->second;
  }

  [[nodiscard]] std::string DoubtfulFile() const { return folder_ + "/doubtful.jsonl.zst"; }

  /// Stores the removed documents that nothing justifies so far, and returns them in input order.
  Result<std::vector<AuditedDoc>> StoreDoubtful(const Neighbours& justified) {
    std::vector<AuditedDoc> doubtful;
    LOOKALIKE_ASSIGN_OR_RETURN(const auto file, OutputStream::Create(DoubtfulFile(), Codec::kZstd));
    std::string line;
    const auto take = [&](AuditedDoc doc, std::string_view text, GuardValues values) -> Status {
      if (justified.contains(doc)) return {};
      doubtful.push_back(doc);
      line.clear();
      AppendLine(doc, text, values, &line);
      return file->Write(line);
    };
    LOOKALIKE_RETURN_IF_ERROR(ForEachDocument(collection_.gone(), inputs_, take));
    LOOKALIKE_RETURN_IF_ERROR(file->Close());
    return doubtful;
  }

  /// The parts of a document that guards compare.
  struct GuardedParts {
    std::vector<uint64_t> words;
    uint64_t mask = 0;
  };

  /// Doubtful documents with too few words for a search, of which one that stays has the bytes.
  struct Wordless {
    std::unordered_set<AuditedDoc> same;  ///< Nothing is lost with such a copy.
    Neighbours guarded;                   ///< The others, which guards tell apart.
  };

  /// A reader of what guards compare, with scratch memory for the fields.
  class GuardedPartsReader {
   public:
    explicit GuardedPartsReader(const GuardSpec& spec) : guards_(spec), rules_(spec) {}

    void Read(std::string_view text, GuardValues values, GuardedParts* parts) {
      fields_.assign(values.begin(), values.end());
      guards_.AppendWords(text, fields_, &parts->words);
      parts->mask = guards_.FeatureMask(fields_);
    }

    [[nodiscard]] bool MayBeAlike(const GuardedParts& a, const GuardedParts& b) const {
      return a.mask == b.mask && rules_.MayBeEdge(a.words, b.words);
    }

   private:
    GuardReader guards_;
    PairGuards rules_;
    std::vector<std::optional<std::string_view>> fields_;
  };

  Result<Wordless> CompareWordless() {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto features, Fingerprinter::Create(inputs_.comparing));
    const size_t least = std::max<size_t>(1, inputs_.comparing.min_features);
    GuardedPartsReader reader(guards_);
    std::unordered_map<std::string, std::vector<std::pair<AuditedDoc, GuardedParts>>> doubtful;
    const auto add = [&](AuditedDoc doc, std::string_view text, GuardValues values) -> Status {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto set, features.Features(text));
      if (set.size() >= least) return {};
      auto& [_, parts] = doubtful[std::string(text)].emplace_back(doc, GuardedParts());
      reader.Read(text, values, &parts);
      return {};
    };
    LOOKALIKE_RETURN_IF_ERROR(ForEachDocument(DoubtfulFile(), inputs_, add));
    Wordless found;
    if (doubtful.empty()) return found;
    const auto find = [&](AuditedDoc stays, std::string_view text, GuardValues values) -> Status {
      const auto at = doubtful.find(std::string(text));
      if (at == doubtful.end()) return {};
      GuardedParts own;
      reader.Read(text, values, &own);
      std::erase_if(at->second, [&](const auto& pending) {
        const auto& [doc, parts] = pending;
        const bool alike = reader.MayBeAlike(parts, own);
        if (alike) {
          found.same.insert(doc);
        } else {
          found.guarded.emplace(doc, Likeness{stays, 1});
        }
        return alike;
      });
      return {};
    };
    LOOKALIKE_RETURN_IF_ERROR(ForEachDocument(collection_.stays(), inputs_, find));
    return found;
  }

  /// Compares false removals with what the list removed them for.
  Status CompareReasons(std::vector<Finding>* findings) {
    std::vector<DocPairToCompare> pairs;
    for (Finding& finding : *findings) {
      finding.reason.doc = collection_.ReasonFor(finding.doc);
      if (finding.reason.doc == finding.doc) finding.reason.doc = kNoDoc;
      if (finding.reason.doc != kNoDoc) pairs.push_back({finding.doc, finding.reason.doc});
    }
    LOOKALIKE_RETURN_IF_ERROR(Compare(pairs));
    auto pair = pairs.begin();
    for (Finding& finding : *findings) {
      if (finding.reason.doc != kNoDoc) finding.reason.resemblance = (pair++)->resemblance;
    }
    return {};
  }

  /// Sets the resemblances of pairs, whatever guards say, and what these say. Each pass over the
  /// texts is for as many pairs as the features of their documents have room in memory.
  Status Compare(std::span<DocPairToCompare> pairs) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto fingerprinter, Fingerprinter::Create(inputs_.comparing));
    const uint64_t memory = inputs_.comparing.memory;
    const size_t at_once =
        memory == 0 ? kPairsPerPass
                    : std::clamp<size_t>(memory / kMemoryPerPair, kFewestPairs, kPairsPerPass);
    while (!pairs.empty()) {
      const auto some = pairs.first(std::min(pairs.size(), at_once));
      LOOKALIKE_RETURN_IF_ERROR(ComparePart(fingerprinter, some));
      pairs = pairs.subspan(some.size());
    }
    return {};
  }

  Status ComparePart(const Fingerprinter& fingerprinter, std::span<DocPairToCompare> pairs) {
    struct Compared {
      std::vector<uint64_t> features;
      size_t text_hash = 0;
      GuardedParts parts;
    };
    GuardedPartsReader reader(guards_);
    std::unordered_map<AuditedDoc, Compared> wanted;
    for (const DocPairToCompare& pair : pairs) wanted[pair.a], wanted[pair.b];
    const auto take = [&](AuditedDoc doc, std::string_view text, GuardValues values) -> Status {
      const auto at = wanted.find(doc);
      if (at == wanted.end()) return {};
      reader.Read(text, values, &at->second.parts);
      LOOKALIKE_ASSIGN_OR_RETURN(at->second.features, fingerprinter.Features(text));
      at->second.text_hash = std::hash<std::string_view>()(text);
      return {};
    };
    for (const std::string& file : {collection_.stays(), collection_.gone()}) {
      LOOKALIKE_RETURN_IF_ERROR(ForEachDocument(file, inputs_, take));
    }
    for (DocPairToCompare& pair : pairs) {
      const Compared &a = wanted[pair.a], &b = wanted[pair.b];
      pair.guarded = !reader.MayBeAlike(a.parts, b.parts);
      const bool none = a.features.empty() && b.features.empty();
      pair.resemblance = none ? static_cast<double>(a.text_hash == b.text_hash)
                              : ResemblanceOf(a.features, b.features);
    }
    return {};
  }

  const AuditedInputs& inputs_;
  const AuditedCollection& collection_;
  std::string folder_;
  ListAudit& audit_;
  GuardSpec guards_;  // of the files of the collection
};

/// Writes into findings the clusters that our result has their documents in.
Status FindClusters(const ResultLists& lists, const AuditedCollection& collection,
                    std::vector<Finding>* findings) {
  constexpr uint64_t kAtOnce = 10'000;
  std::unordered_map<std::string, uint64_t> clusters;  // by place
  const auto place_of = [&](AuditedDoc doc) -> std::string {
    const auto names = nlohmann::json::parse(collection.NamesOf(doc), nullptr, false);
    return names.is_object() ? names.value("place", std::string()) : std::string();
  };
  std::vector<std::string> places;
  for (const Finding& finding : *findings) {
    clusters.emplace(places.emplace_back(place_of(finding.doc)), 0);
  }
  const auto set = [&](const ListedDocument& document, uint64_t cluster) {
    const auto at = clusters.find(PlaceOf(document));
    if (at != clusters.end()) at->second = cluster;
  };
  for (uint64_t number = 1; number <= lists.clusters(); ++number) {
    LOOKALIKE_ASSIGN_OR_RETURN(const ListedCluster cluster, lists.Cluster(number));
    for (const ListedDocument& kept : cluster.kept) set(kept, number);
    for (uint64_t first = 0; first < cluster.removed; first += kAtOnce) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto removals, lists.Removals(number, first, kAtOnce));
      for (const ListedRemoval& removal : removals) set(removal.document, number);
    }
  }
  for (size_t i = 0; i < places.size(); ++i) (*findings)[i].cluster = clusters[places[i]];
  return {};
}

void AppendLikeness(std::string_view name, const Likeness& likeness,
                    const AuditedCollection& collection, std::string* line) {
  fmt::format_to(std::back_inserter(*line), R"(, "{}": )", name);
  if (likeness.doc == kNoDoc) {
    *line += "null";
    return;
  }
  std::string_view names = collection.NamesOf(likeness.doc);
  names.remove_suffix(1);
  *line += names;
  *line += R"(, "resemblance": )";
  AppendJsonNumber(line, likeness.resemblance);
  *line += '}';
}

/// `guarded`: the result has guards.
Status WriteFindings(const std::vector<Finding>& findings, const AuditedCollection& collection,
                     bool guarded, OutputStream* file) {
  std::string line;
  for (const Finding& finding : findings) {
    line = fmt::format(R"({{"kind": "{}", "document": {})",
                       kFindingNames[static_cast<size_t>(finding.kind)],
                       collection.NamesOf(finding.doc));
    AppendLikeness("other", finding.other, collection, &line);
    AppendLikeness("reason", finding.reason, collection, &line);
    AppendLikeness("copy", finding.copy, collection, &line);
    if (guarded) AppendLikeness("guarded", finding.guarded, collection, &line);
    line += R"(, "cluster": )" + (finding.cluster == 0 ? "null" : std::to_string(finding.cluster));
    line += "}\n";
    LOOKALIKE_RETURN_IF_ERROR(file->Write(line));
  }
  return {};
}

/// Refuses results that an audit of texts could not judge by the same rules.
Status CheckRules(const Options& options, const std::string& folder) {
  const std::string_view unit =
      std::string_view(options.shingle).substr(0, options.shingle.find(':'));
  constexpr std::array<std::string_view, 4> kNoTexts = {"item", "point", "cells", "series"};
  if (options.text_field.size() > 1) {
    return UsageError(
        "was made with several $<text-field>; a list is audited beside a result of one text of "
        "each document",
        folder);
  }
  if (options.measure == "resemblance" && options.distance == "off" && options.against.empty() &&
      std::ranges::find(kNoTexts, unit) == kNoTexts.end()) {
    return {};
  }
  return UsageError(
      "was made with $<against>, $<measure=containment>, or of something else than texts; a list "
      "is audited beside a result of the resemblance of texts",
      folder);
}

/// Refuses a list that says nothing about these documents.
Status CheckNames(const ListAudit& audit, const AuditedList& list) {
  if (audit.listed == 0 && list.kind != ListKind::kRemoved) {
    return InputError("names no document; is it the right file, or folder?", list.path);
  }
  if (audit.listed == 0 || audit.unknown < audit.listed) return {};
  return InputError(
      "names no document of the inputs; documents are named by their ids in removed.jsonl of the "
      "result, or with $<by-number> by their numbers",
      list.path);
}

/// Has guards compare the fields of the files of a collection in the place of those of the inputs.
Status TakeGuards(const Options& result, Options* options) {
  LOOKALIKE_ASSIGN_OR_RETURN(const GuardSpec guards,
                             ParseGuards(result.differ, result.same, result.not_same));
  const auto names_of = [](const std::vector<size_t>& fields) {
    std::vector<std::string> names;
    for (const size_t field : fields) names.push_back(FieldOfGuard(field));
    return names;
  };
  options->differ.clear();
  for (const Guard& guard : guards.differ) {
    const bool is_field = guard.kind == Guard::Kind::kField;
    options->differ.push_back(is_field ? FieldOfGuard(guard.field) : guard.name);
  }
  options->same = names_of(guards.same);
  options->not_same = names_of(guards.not_same);
  return {};
}

/// Returns the options by which the files of a collection are compared: those of the result that
/// say what near-duplicates are.
Result<Options> ComparingOptions(const Options& result, const Options& performance) {
  Options options = performance;
  for (const OptionRow& row : OptionTable()) {
    const std::string text = OptionText(row, result);
    if (!IsIndexOption(row) || row.IsList() || text.empty()) continue;
    LOOKALIKE_RETURN_IF_ERROR(SetOption(row, text, &options));
  }
  LOOKALIKE_RETURN_IF_ERROR(TakeGuards(result, &options));
  options.pages = "off";                     // the texts are what was selected of pages
  options.max_record = uint64_t{372} << 20;  // the most: the texts were read already
  options.max_expansion = 1e9;
  options.text_field = {"text"};
  options.id_field = "id";
  return options;
}

Result<ListAudit> AuditInto(const ResultLists& lists, const Inputs& inputs, const AuditedList& list,
                            const Options& options, const Observer& observer,
                            PendingOutput* pending) {
  const Stopwatch time;
  std::string folder = pending->path("texts");
  if (!options.scratch.empty()) {
    LOOKALIKE_ASSIGN_OR_RETURN(folder, pending->MakeScratch(options.scratch));
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return DiskError("cannot be made: " + error.message(), folder);
  Options reading = lists.options();
  reading.threads = options.threads;
  reading.memory = options.memory;
  Options performance;
  performance.threads = options.threads;
  performance.memory = options.memory;
  performance.scratch = folder;
  LOOKALIKE_ASSIGN_OR_RETURN(const Options comparing,
                             ComparingOptions(lists.options(), performance));
  LOOKALIKE_ASSIGN_OR_RETURN(const Listed listed, ReadListed(list, performance, observer));
  ListAudit audit;
  audit.kind = list.kind;
  audit.threshold = comparing.threshold;
  audit.listed = static_cast<uint64_t>(std::ranges::count(listed.in_list, true));
  const AuditedInputs audited = {inputs, reading, comparing, observer};
  LOOKALIKE_ASSIGN_OR_RETURN(const AuditedCollection collection,
                             AuditedCollection::Split(audited, list.kind, listed, folder, &audit));
  for (uint32_t entry = 0; entry < listed.in_list.size(); ++entry) {
    audit.unknown += listed.in_list[entry] && collection.DocOf(entry) == kNoDoc;
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckNames(audit, list));
  Auditor auditor(audited, collection, folder, &audit);
  LOOKALIKE_RETURN_IF_ERROR(auditor.Begin());
  LOOKALIKE_ASSIGN_OR_RETURN(std::vector<Finding> findings, list.kind == ListKind::kPairs
                                                                ? auditor.JudgePairs(listed)
                                                                : auditor.JudgeRemovals());
  LOOKALIKE_RETURN_IF_ERROR(FindClusters(lists, collection, &findings));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto file,
                             OutputStream::Create(pending->result(), Codec::kNone));
  LOOKALIKE_RETURN_IF_ERROR(
      WriteFindings(findings, collection, audit.guarded.has_value(), file.get()));
  const nlohmann::ordered_json last = {
      {"audit", 1}, {"result", lists.hash()}, {"list", list.path}, {"summary", ToJson(audit)}};
  LOOKALIKE_RETURN_IF_ERROR(
      file->Write(last.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"));
  LOOKALIKE_RETURN_IF_ERROR(file->Close());
  audit.seconds = time.Seconds();
  audit.peak_memory_bytes = PeakMemoryBytes();
  return audit;
}

}  // namespace

Result<ListAudit> AuditList(const std::string& result, const Inputs& inputs,
                            const AuditedList& list, const std::string& output,
                            const Options& options, const Observer& observer) {
  return WithoutExceptions([&]() -> Result<ListAudit> {
    LOOKALIKE_RETURN_IF_ERROR(options.Validate());
    LOOKALIKE_ASSIGN_OR_RETURN(const ResultLists lists, ResultLists::Open(result));
    LOOKALIKE_RETURN_IF_ERROR(CheckRules(lists.options(), result));
    LOOKALIKE_RETURN_IF_ERROR(lists.CheckAllInputs(inputs, lists.options()));
    std::vector<std::string> apart = inputs.names;
    apart.insert(apart.end(), {result, list.path});
    LOOKALIKE_ASSIGN_OR_RETURN(PendingOutput pending, PendingOutput::OpenFile(output, apart));
    LOOKALIKE_ASSIGN_OR_RETURN(const ListAudit audit,
                               AuditInto(lists, inputs, list, options, observer, &pending));
    LOOKALIKE_RETURN_IF_ERROR(pending.Commit());
    return audit;
  });
}

}  // namespace lookalike
