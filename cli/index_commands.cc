#include "index_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lookalike/index.h"
#include "lookalike/index_json.h"
#include "lookalike/option_words.h"
#include "lookalike/options_table.h"
#include "lookalike/reader.h"
#include "quantity.h"
#include "run_log.h"
#include "terminal.h"

namespace lookalike::cli {
namespace {

/// Documents that are added in one step, at most: their texts have about so many bytes.
constexpr size_t kAddBytes = size_t{1} << 20;
constexpr size_t kRemoveBlock = 1000;

/// The words behind the action and the index.
std::span<const std::string> Rest(const Request& request) {
  return std::span(request.inputs).subspan(2);
}

/// The same, as names of inputs.
std::vector<std::string> NamesOf(const Request& request) {
  const auto names = Rest(request);
  return {names.begin(), names.end()};
}

const std::string& FolderOf(const Request& request) { return request.inputs[1]; }

void Print(const Request& request, const Json& json, const std::string& text) {
  if (request.options.json) {
    PrintJson(json);
  } else if (!request.options.quiet) {
    fmt::print("{}\n", text);
  }
}

Result<Index> OpenIndex(const Request& request, IndexMode mode) {
  return Index::Open(FolderOf(request), mode, request.options.memory);
}

Result<ExitCode> Create(const Request& request) {
  const IndexSettings settings{request.options, request.index.keep.value_or(Kept::kFeatures),
                               request.index.clusters};
  LOOKALIKE_RETURN_IF_ERROR(Index::Create(FolderOf(request), settings));
  LOOKALIKE_ASSIGN_OR_RETURN(const Index index, OpenIndex(request, IndexMode::kRead));
  LOOKALIKE_ASSIGN_OR_RETURN(const IndexStats stats, index.Stats());
  Print(request, {{"index", FolderOf(request)}, {"keep", NameOf(stats.kept)}, {"keys", stats.keys}},
        fmt::format("{}: an empty index, which finds documents by {}", FolderOf(request),
                    stats.keys));
  return kDone;
}

/// Collects documents until they are worth a step of their own.
class Adder {
 public:
  Adder(Index* index, const Request& request, const Observer& observer)
      : index_(index), unless_similar_(request.index.unless_similar), observer_(observer) {}

  Status Take(DocumentColumns columns) {
    for (size_t i = 0; i < columns.size(); ++i) held_ += columns.Text(i).size();
    blocks_.push_back(std::move(columns));
    return held_ < kAddBytes ? Status() : Flush();
  }

  Status Flush() {
    std::vector<IndexDocument> documents;
    for (const DocumentColumns& block : blocks_) {
      for (size_t i = 0; i < block.size(); ++i) {
        if (!IsGoodId(block, i)) continue;
        documents.push_back({block.Id(i), block.Text(i), block.Metadata(i), block.GuardValues(i)});
      }
    }
    if (!documents.empty()) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto answers, index_->Add(documents, unless_similar_));
      for (const AddAnswer& answer : answers) done_.Count(answer.outcome);
    }
    blocks_.clear();
    held_ = 0;
    return {};
  }

  [[nodiscard]] const LoadSummary& done() const { return done_; }

 private:
  /// Says what is wrong with an id that the index cannot hold.
  bool IsGoodId(const DocumentColumns& block, size_t i) {
    const std::string why = WhyRefused(block.Id(i), block.Metadata(i));
    if (why.empty()) return true;
    ++done_.rejected;
    observer_.message(fmt::format("{}: {}; left out", block.PlaceOf(i), why));
    return false;
  }

  Index* index_;
  std::optional<double> unless_similar_;
  const Observer& observer_;
  size_t held_ = 0;
  std::vector<DocumentColumns> blocks_;
  LoadSummary done_;
};

Result<LoadSummary> AddAll(Index* index, const Request& request, const Observer& observer) {
  const auto names = NamesOf(request);
  if (Index::AreSketches(names)) {
    return UsageError("sketch files have no texts to be added; use index load");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(
      DocumentReader reader,
      DocumentReader::Open(Index::InputsOf(names), index->ReadingOptions(request.options),
                           observer));
  Adder adder(index, request, observer);
  while (true) {
    DocumentColumns columns;
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader.Next(&columns));
    if (!more) break;
    LOOKALIKE_RETURN_IF_ERROR(adder.Take(std::move(columns)));
  }
  LOOKALIKE_RETURN_IF_ERROR(adder.Flush());
  LoadSummary done = adder.done();
  done.rejected += reader.records().rejected;
  return done;
}

Result<LoadSummary> LoadAll(Index* index, const Request& request, const Observer& observer) {
  return index->Load(NamesOf(request), index->ReadingOptions(request.options),
                     request.index.unless_similar, observer);
}

using Adding = Result<LoadSummary> (*)(Index*, const Request&, const Observer&);

Result<ExitCode> AddWith(Adding adding, const Request& request) {
  if (Rest(request).empty()) {
    return UsageError(fmt::format("index {} needs inputs", request.inputs[0]));
  }
  LOOKALIKE_ASSIGN_OR_RETURN(Index index, OpenIndex(request, IndexMode::kWrite));
  RunLog log(request.options);
  const auto done = adding(&index, request, log.MakeObserver());
  log.Finish("");
  if (!done) return tl::make_unexpected(done.error());
  Print(request,
        {{"added", done->added},
         {"replaced", done->replaced},
         {"unchanged", done->unchanged},
         {"similar", done->similar},
         {"rejected", done->rejected}},
        fmt::format("{} added, {} replaced, {} unchanged, {} left out as similar, {} rejected",
                    Count(done->added), Count(done->replaced), Count(done->unchanged),
                    Count(done->similar), Count(done->rejected)));
  return done->rejected > 0 ? kPartlyDone : kDone;
}

/// Returns the query of a request, with its measure named.
IndexQuery QueryOf(const Index& index, const Request& request) {
  IndexQuery query = request.index.query;
  if (request.threshold_given) query.threshold = request.options.threshold;
  const auto& given = request.given;
  const bool measured = std::find(given.begin(), given.end(), "--measure") != given.end();
  query.measure = measured ? request.options.measure : index.settings().options.measure;
  return query;
}

bool IsOfContainment(const IndexQuery& query) { return query.measure == "containment"; }

std::string ToText(const IndexAnswer& answer, bool contains) {
  std::string text;
  for (const IndexMatch& match : answer.matches) {
    text += contains ? fmt::format("{:.4f} in it, {:.4f} of it  {}", match.containment_ab,
                                   match.containment_ba, match.id)
                     : fmt::format("{:.4f}  {}", match.resemblance, match.id);
    text += match.exact ? "\n" : fmt::format("  (estimate, +- {:.3f})\n", match.standard_error);
  }
  if (answer.matches.empty()) text = "no match\n";
  if (answer.truncated) text += "... and perhaps more; raise --limit\n";
  return text;
}

Status CheckQueryArguments(const Request& request) {
  const IndexArguments& given = request.index;
  const int ways = int{given.text.has_value()} + int{given.id.has_value()} +
                   int{!given.file.empty()} + int{!Rest(request).empty()};
  if (ways == 1) return {};
  return UsageError("index query takes one of --text, --file, --id, or inputs");
}

Status WriteAnswer(std::string_view id, const IndexAnswer& answer, bool contains) {
  return WriteOut(AnswerJson(answer, contains, id) + "\n");
}

/// Answers for each document of the inputs, a line each.
Result<ExitCode> QueryInputs(const Index& index, const Request& request, IndexQuery query) {
  RunLog log(request.options);
  auto reader = DocumentReader::Open(Index::InputsOf(NamesOf(request)),
                                     index.ReadingOptions(request.options), log.MakeObserver());
  if (!reader) return tl::make_unexpected(reader.error());
  bool any = false;
  while (true) {
    DocumentColumns columns;
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader->Next(&columns));
    if (!more) break;
    for (size_t i = 0; i < columns.size(); ++i) {
      const auto values = columns.GuardValues(i);
      query.guard_values.assign(values.begin(), values.end());
      LOOKALIKE_ASSIGN_OR_RETURN(const IndexAnswer answer, index.QueryText(columns.Text(i), query));
      any = any || !answer.matches.empty();
      LOOKALIKE_RETURN_IF_ERROR(WriteAnswer(columns.Id(i), answer, IsOfContainment(query)));
    }
  }
  log.Finish("");
  if (reader->records().rejected > 0) return kPartlyDone;
  return any ? kDone : kNothingFound;
}

Result<ExitCode> QuerySketches(const Index& index, const Request& request, const Inputs& files,
                               const IndexQuery& query) {
  RunLog log(request.options);
  bool any = false;
  const auto rejected = index.QuerySketches(
      files, query,
      [&](const std::string& id, const IndexAnswer& answer) {
        any = any || !answer.matches.empty();
        return WriteAnswer(id, answer, false);
      },
      log.MakeObserver());
  log.Finish("");
  if (!rejected) return tl::make_unexpected(rejected.error());
  if (*rejected > 0) return kPartlyDone;
  return any ? kDone : kNothingFound;
}

Result<IndexAnswer> Ask(const Index& index, const Request& request, const IndexQuery& query) {
  const IndexArguments& given = request.index;
  if (given.id) return index.QueryId(*given.id, query);
  if (given.text) return index.QueryText(*given.text, query);
  return index.QueryFile(given.file, index.ReadingOptions(request.options), query);
}

Result<ExitCode> Query(const Request& request) {
  LOOKALIKE_RETURN_IF_ERROR(CheckQueryArguments(request));
  LOOKALIKE_ASSIGN_OR_RETURN(const Index index, OpenIndex(request, IndexMode::kRead));
  const IndexQuery query = QueryOf(index, request);
  if (!Rest(request).empty()) {
    const std::vector<std::string> names = NamesOf(request);
    return Index::AreSketches(names) ? QuerySketches(index, request, names, query)
                                     : QueryInputs(index, request, query);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const IndexAnswer answer, Ask(index, request, query));
  if (request.options.json) {
    PrintJson(Json::parse(AnswerJson(answer, IsOfContainment(query))));
  } else {
    fmt::print("{}", ToText(answer, IsOfContainment(query)));
  }
  return answer.matches.empty() ? kNothingFound : kDone;
}

Result<ExitCode> Remove(const Request& request) {
  const auto ids = Rest(request);
  if (ids.empty()) return UsageError("index remove needs the ids of documents");
  LOOKALIKE_ASSIGN_OR_RETURN(Index index, OpenIndex(request, IndexMode::kWrite));
  uint64_t removed = 0;
  for (size_t at = 0; at < ids.size(); at += kRemoveBlock) {
    LOOKALIKE_ASSIGN_OR_RETURN(
        const uint64_t some,
        index.Remove(ids.subspan(at, std::min(kRemoveBlock, ids.size() - at))));
    removed += some;
  }
  Print(request, {{"removed", removed}, {"missing", ids.size() - removed}},
        fmt::format("{} removed, {} were not there", Count(removed), Count(ids.size() - removed)));
  return kDone;
}

/// Between the items of a document, and before the weight of one (src/records/item_text.h).
constexpr char kEndOfItem = '\x1e', kBeforeWeight = '\x1f';

/// Returns the items of a document in the form in which readers give them to an index.
Json ItemsOf(std::string_view text) {
  Json list = Json::array(), weighed = Json::object();
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(kEndOfItem));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const size_t weight = item.find(kBeforeWeight);
    if (weight == item.npos) {
      list.push_back(item);
    } else {
      weighed[std::string(item.substr(0, weight))] =
          Json::parse(item.substr(weight + 1), nullptr, false);
    }
  }
  return weighed.empty() ? list : weighed;
}

Result<ExitCode> Get(const Request& request) {
  if (Rest(request).size() != 1) return UsageError("index get needs the id of one document");
  LOOKALIKE_ASSIGN_OR_RETURN(const Index index, OpenIndex(request, IndexMode::kRead));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto document, index.Get(Rest(request)[0]));
  if (!document) return kNothingFound;
  PrintJson(Json::parse(DocumentJson(*document)));
  return kDone;
}

Result<ExitCode> PrintDocuments(const Index& index,
                                const std::function<std::string(const IndexedDocument&)>& form) {
  Status written;
  LOOKALIKE_RETURN_IF_ERROR(index.List([&](const IndexedDocument& document) {
    written = WriteOut(form(document) + "\n");
    return written.has_value();
  }));
  LOOKALIKE_RETURN_IF_ERROR(written);
  return kDone;
}

Result<ExitCode> List(const Request& request) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Index index, OpenIndex(request, IndexMode::kRead));
  return PrintDocuments(index, DocumentJson);
}

/// Prints all documents as lines that `add` reads.
Result<ExitCode> Dump(const Request& request) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Index index, OpenIndex(request, IndexMode::kRead));
  if (index.settings().kept != Kept::kText) {
    return UsageError(
        "the index keeps no texts that another one could be made of; use index backup to copy it, "
        "or index list to see what it has",
        FolderOf(request));
  }
  if (!index.guard_fields().empty()) {
    return UsageError(
        "the guards of the index compare fields, of which it keeps no values that another one "
        "could be made with; use index backup to copy it",
        FolderOf(request));
  }
  const bool has_items = index.settings().options.shingle == "item";
  return PrintDocuments(index, [&](const IndexedDocument& document) {
    const std::string text = document.text.value_or("");
    // Each line has metadata, so that the first ones tell which fields there are.
    const Json line = {
        {"id", document.id},
        {"metadata", document.metadata},
        {"text", has_items && text.find(kEndOfItem) != text.npos ? ItemsOf(text) : Json(text)}};
    return line.dump(-1, ' ', false, Json::error_handler_t::replace);
  });
}

Result<ExitCode> Clusters(const Request& request) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Index index, OpenIndex(request, IndexMode::kRead));
  const double threshold = request.threshold_given ? request.options.threshold.least : 0;
  const bool json = request.options.json;
  if (json) LOOKALIKE_RETURN_IF_ERROR(WriteOut("{\"clusters\":["));
  uint64_t found = 0;
  Status written;
  LOOKALIKE_RETURN_IF_ERROR(index.Clusters(threshold, [&](const IndexCluster& cluster) {
    std::string text = found++ > 0 && json ? "," : "";
    text += json ? ClusterJson(cluster)
                 : fmt::format("{}  {}\n", cluster.name, fmt::join(cluster.ids, " "));
    written = WriteOut(text);
    return written.has_value();
  }));
  LOOKALIKE_RETURN_IF_ERROR(written);
  if (json) LOOKALIKE_RETURN_IF_ERROR(WriteOut("]}\n"));
  return kDone;
}

Result<ExitCode> Changes(const Request& request) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Index index, OpenIndex(request, IndexMode::kRead));
  Status written;
  LOOKALIKE_RETURN_IF_ERROR(index.Changes(request.index.since, [&](std::string_view line) {
    written = WriteOut(std::string(line) + "\n");
    return written.has_value();
  }));
  LOOKALIKE_RETURN_IF_ERROR(written);
  return kDone;
}

Result<ExitCode> Stats(const Request& request) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Index index, OpenIndex(request, IndexMode::kRead));
  LOOKALIKE_ASSIGN_OR_RETURN(const IndexStats stats, index.Stats());
  std::optional<IndexAudit> audited;
  std::string text =
      fmt::format("documents  {}\nbytes      {}\nkeep       {}\nkeys       {}",
                  Count(stats.documents), Count(stats.bytes), NameOf(stats.kept), stats.keys);
  if (!stats.differ.empty()) text += fmt::format("\ndiffer     {}", fmt::join(stats.differ, ", "));
  if (!stats.same.empty()) text += fmt::format("\nsame       {}", fmt::join(stats.same, ", "));
  if (request.index.audit > 0) {
    LOOKALIKE_ASSIGN_OR_RETURN(const IndexAudit audit, index.Audit(request.index.audit));
    audited = audit;
    text += audit.recall.estimate
                ? fmt::format(
                      "\nrecall     {:.4f} ({:.4f} to {:.4f}), from {} matches of {} "
                      "documents",
                      *audit.recall.estimate, audit.recall.low.value_or(0),
                      audit.recall.high.value_or(1), Count(audit.pairs), Count(audit.documents))
                : fmt::format("\nrecall     unknown: none of {} documents has a match",
                              Count(audit.documents));
  }
  Print(request, Json::parse(StatsJson(stats, audited)), text);
  return kDone;
}

Result<ExitCode> Check(const Request& request) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Index index, OpenIndex(request, IndexMode::kRead));
  LOOKALIKE_RETURN_IF_ERROR(index.Check());
  LOOKALIKE_ASSIGN_OR_RETURN(const IndexStats stats, index.Stats());
  Print(request, {{"intact", true}, {"documents", stats.documents}},
        fmt::format("{}: all of {} documents is as it was stored", FolderOf(request),
                    Count(stats.documents)));
  return kDone;
}

Result<ExitCode> Compact(const Request& request) {
  LOOKALIKE_ASSIGN_OR_RETURN(Index index, OpenIndex(request, IndexMode::kWrite));
  LOOKALIKE_RETURN_IF_ERROR(index.Compact());
  LOOKALIKE_ASSIGN_OR_RETURN(const IndexStats stats, index.Stats());
  Print(request, {{"documents", stats.documents}, {"bytes", stats.bytes}},
        fmt::format("{}: {} bytes", FolderOf(request), Count(stats.bytes)));
  return kDone;
}

Result<ExitCode> Backup(const Request& request) {
  if (Rest(request).size() != 1) return UsageError("index backup needs one folder to copy to");
  LOOKALIKE_ASSIGN_OR_RETURN(const Index index, OpenIndex(request, IndexMode::kRead));
  LOOKALIKE_RETURN_IF_ERROR(index.Backup(Rest(request)[0]));
  Print(request, {{"backup", Rest(request)[0]}},
        fmt::format("{}: a copy of {}", Rest(request)[0], FolderOf(request)));
  return kDone;
}

Result<ExitCode> Merge(const Request& request) {
  if (request.output.empty()) return UsageError("index merge needs a folder to make: -o DIR");
  LOOKALIKE_RETURN_IF_ERROR(Index::MergeAll(std::span(request.inputs).subspan(1), request.output,
                                            request.options.memory));
  LOOKALIKE_ASSIGN_OR_RETURN(const Index merged, Index::Open(request.output, IndexMode::kRead));
  LOOKALIKE_ASSIGN_OR_RETURN(const IndexStats stats, merged.Stats());
  Print(request, {{"index", request.output}, {"documents", stats.documents}},
        fmt::format("{}: {} documents", request.output, Count(stats.documents)));
  return kDone;
}

using Action = Result<ExitCode> (*)(const Request&);

constexpr std::pair<std::string_view, Action> kActions[] = {
    {"create", Create},
    {"add", [](const Request& request) { return AddWith(AddAll, request); }},
    {"load", [](const Request& request) { return AddWith(LoadAll, request); }},
    {"query", Query},
    {"remove", Remove},
    {"get", Get},
    {"list", List},
    {"dump", Dump},
    {"clusters", Clusters},
    {"changes", Changes},
    {"stats", Stats},
    {"check", Check},
    {"compact", Compact},
    {"backup", Backup},
    {"merge", Merge},
};

/// A flag that belongs to some actions; other flags that an index does not fix belong to all.
struct FlagUse {
  std::string_view flag;
  std::array<std::string_view, 3> actions;  ///< Empty at the end.

  [[nodiscard]] std::string Actions() const {
    std::string names;
    for (const std::string_view action : actions) {
      if (!action.empty()) names += fmt::format("{}{}", names.empty() ? "" : ", ", action);
    }
    return names;
  }
};

constexpr FlagUse kFlagUses[] = {
    {"-o", {"merge"}},
    {"--keep", {"create"}},
    {"--clusters", {"create"}},
    {"--unless-similar", {"add", "load"}},
    {"--metadata-field", {"add", "load"}},
    {"--text", {"query"}},
    {"--id", {"query"}},
    {"--file", {"query"}},
    {"--top", {"query"}},
    {"--limit", {"query"}},
    {"--exhaustive", {"query"}},
    {"--audit", {"stats"}},
    {"--since", {"changes"}},
    {"--threshold", {"create", "query", "clusters"}},
    {"--measure", {"create", "query"}},
};

/// Actions that take nothing but an index.
constexpr std::string_view kPlainActions[] = {"create",  "list",  "dump",  "clusters",
                                              "changes", "stats", "check", "compact"};

/// Actions that read documents, from inputs or for a query.
constexpr std::string_view kReadingActions[] = {"add", "load", "query"};

/// Refuses an option of reading in an action that reads no documents: an index does not store it.
Status CheckReading(const std::string& action, const OptionRow& row) {
  if (row.topic != OptionTopic::kInput) return {};
  if (std::ranges::count(kReadingActions, action) > 0) return {};
  return UsageError(
      fmt::format("index {} takes no --{}, because it reads no documents; pass it to "
                  "each index add, load or query",
                  action, row.name));
}

/// Refuses a flag that has no effect on the action.
Status CheckFlag(const std::string& action, std::string_view flag) {
  for (const FlagUse& use : kFlagUses) {
    if (use.flag != flag) continue;
    if (std::ranges::count(use.actions, action) > 0) return {};
    return UsageError(
        fmt::format("index {} takes no {}; it belongs to {}", action, flag, use.Actions()));
  }
  for (const OptionRow& row : OptionTable()) {
    if (!row.BelongsTo(Command::kIndex) || flag != fmt::format("--{}", row.name)) continue;
    LOOKALIKE_RETURN_IF_ERROR(CheckReading(action, row));
    if (action == "create" || !IsIndexOption(row)) continue;
    return UsageError(
        fmt::format("index {} takes no {}: it is fixed by index create", action, flag));
  }
  return {};
}

Status CheckWords(const Request& request) {
  const std::string& action = request.inputs[0];
  for (const std::string& flag : request.given) {
    LOOKALIKE_RETURN_IF_ERROR(CheckFlag(action, flag));
  }
  if (Rest(request).empty() || std::ranges::count(kPlainActions, action) == 0) return {};
  return UsageError(
      fmt::format("index {} takes one index and nothing else, not {}", action, Rest(request)[0]));
}

}  // namespace

Result<ExitCode> RunIndex(const Request& request) {
  std::string names;
  for (const auto& [name, run] : kActions) {
    if (request.inputs[0] == name) {
      LOOKALIKE_RETURN_IF_ERROR(CheckWords(request));
      return run(request);
    }
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  }
  return UsageError(fmt::format("index cannot '{}'; its actions are {}", request.inputs[0], names));
}

}  // namespace lookalike::cli
