#include "lookalike/result_lists.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "io/file_system.h"
#include "io/mapped_file.h"
#include "io/object_uri.h"
#include "io/whole_file.h"
#include "lookalike/options_table.h"
#include "run/job.h"
#include "run/no_exceptions.h"
#include "run/resolve_job.h"
#include "run/result_checks.h"
#include "run/store_result.h"

namespace lookalike {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr const char* kRemoved = "removed.jsonl";
constexpr const char* kClusters = "clusters.jsonl";

/// Witnesses that are looked at to learn where the kept documents of a cluster are.
constexpr uint64_t kMostWitnesses = 1000;

/// A file of lines in memory.
class Lines {
 public:
  static Result<Lines> Open(const std::string& path) {
    LOOKALIKE_ASSIGN_OR_RETURN(MappedFile file, MappedFile::Open(path));
    return Lines(path, std::move(file));
  }

  /// Returns the line that begins at `offset`, without its end.
  [[nodiscard]] std::string_view At(uint64_t offset) const {
    const std::string_view rest = text().substr(offset);
    return rest.substr(0, rest.find('\n'));
  }

  /// True if a line begins at `offset`, or the file ends there.
  [[nodiscard]] bool Begins(uint64_t offset) const {
    return offset == 0 || (offset <= text().size() && text()[offset - 1] == '\n');
  }

  /// Passes the offset of each line, and the line, to `take`, which returns false to end it. The
  /// first line begins at `first`.
  template <class Take>
  void ForEach(const Take& take, uint64_t first = 0) const {
    for (uint64_t offset = first; offset < text().size();) {
      const std::string_view line = At(offset);
      if (!take(offset, line)) return;
      offset += line.size() + 1;
    }
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  Lines(std::string path, MappedFile file) : path_(std::move(path)), file_(std::move(file)) {}

  [[nodiscard]] std::string_view text() const {
    const auto bytes = file_.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  std::string path_;
  MappedFile file_;
};

/// More different reasons than this are not told apart.
constexpr size_t kMostReasons = 10'000;

/// Returns the number of the cluster in a line of removed.jsonl, 0 if there is none. A quote within
/// a string has a backslash in front, so that no id can look like this member.
uint64_t ClusterOf(std::string_view line) {
  constexpr std::string_view kMember = ", \"cluster\": ";
  const size_t at = line.rfind(kMember);
  if (at == line.npos) return 0;
  uint64_t number = 0;
  for (const char c : line.substr(at + kMember.size())) {
    if (c < '0' || c > '9') break;
    if (number > std::numeric_limits<uint64_t>::max() / 10 - 1) return 0;
    number = number * 10 + static_cast<uint64_t>(c - '0');
  }
  return number;
}

/// Reads lines of a result. One per thread.
class ListParser {
 public:
  /// Parses a line. Returns false if it is no object.
  bool Parse(std::string_view line) {
    line_ = simdjson::padded_string(line);
    return parser_.iterate(line_).get(document_) == simdjson::SUCCESS &&
           document_.get_object().get(object_) == simdjson::SUCCESS;
  }

  bool Read(const char* name, std::string* value) {
    std::string_view text;
    if (object_.find_field_unordered(name).get_string(true).get(text) != simdjson::SUCCESS) {
      return false;
    }
    *value = text;
    return true;
  }

  template <class Number>
  bool Read(const char* name, Number* value) {
    return object_.find_field_unordered(name).get(*value) == simdjson::SUCCESS;
  }

  /// Reads a list of texts.
  bool Read(const char* name, std::vector<std::string>* values) {
    ondemand::array array;
    if (object_.find_field_unordered(name).get_array().get(array) != simdjson::SUCCESS) {
      return false;
    }
    for (auto each : array) {
      std::string_view text;
      if (std::move(each).get_string(true).get(text) != simdjson::SUCCESS) return false;
      values->emplace_back(text);
    }
    return true;
  }

 private:
  ondemand::parser parser_;
  simdjson::padded_string line_;
  ondemand::document document_;
  ondemand::object object_;
};

std::optional<RemovalKind> KindOf(std::string_view name) {
  for (const RemovalKind kind :
       {RemovalKind::kIdentical, RemovalKind::kExact, RemovalKind::kNear}) {
    if (KindName(kind) == name) return kind;
  }
  return std::nullopt;
}

std::optional<ListedRemoval> RemovalOf(std::string_view line, ListParser* parser) {
  ListedRemoval removal;
  std::string kind;
  ListedDocument& document = removal.document;
  ListedDocument& witness = removal.witness;
  if (!parser->Parse(line) || !parser->Read("id", &document.id) ||
      !parser->Read("source", &document.source) || !parser->Read("row", &document.row) ||
      !parser->Read("kind", &kind) || !parser->Read("duplicate_of", &witness.id) ||
      !parser->Read("duplicate_of_row", &witness.row) ||
      !parser->Read("resemblance", &removal.resemblance)) {
    return std::nullopt;
  }
  const auto known = KindOf(kind);
  if (!known) return std::nullopt;
  removal.kind = *known;
  if (!parser->Read("duplicate_of_source", &witness.source)) witness.source = document.source;
  (void)parser->Read("duplicate_of_reference", &witness.in_reference);
  double share = 0;
  if (parser->Read("containment_ab", &share)) removal.containment_ab = share;
  if (parser->Read("containment_ba", &share)) removal.containment_ba = share;
  (void)parser->Read("kept_by", &removal.kept_by);
  return removal;
}

/// The witnesses of removals, each of which is a document that stays.
class Witnesses {
 public:
  explicit Witnesses(std::span<const ListedRemoval> removals) {
    for (const ListedRemoval& each : removals) {
      auto& same = by_id_[each.witness.id];
      if (std::ranges::count(same, each.witness) == 0) same.push_back(each.witness);
    }
  }

  /// Returns a document that stays, with its place if it is a witness. Documents of one id get the
  /// places of different ones.
  ListedDocument Take(std::string id) {
    ListedDocument document;
    if (const auto same = by_id_.find(id); same != by_id_.end() && !same->second.empty()) {
      document = std::move(same->second.front());
      same->second.erase(same->second.begin());
      return document;
    }
    document.id = std::move(id);
    return document;
  }

 private:
  std::unordered_map<std::string, std::vector<ListedDocument>> by_id_;
};

/// Returns the options that a manifest lists.
Result<Options> OptionsOf(const std::string& manifest, const std::string& path) {
  const auto json = nlohmann::json::parse(manifest, nullptr, false);
  if (!json.is_object() || !json.contains("options") || !json["options"].is_object()) {
    return CorruptError("is not the manifest of a result", path);
  }
  Options options;
  for (const OptionRow& row : OptionTable()) {
    if (row.name == "decisions") continue;  // their file is not needed to read a result
    const auto value = json["options"].find(std::string(row.name));
    if (value == json["options"].end() || !value->is_string()) continue;
    const auto text = value->get<std::string>();
    if (text.empty()) continue;  // an option that is not set
    const auto values = row.IsList() ? ListValues(row, text) : std::vector<std::string>{text};
    for (const std::string& each : values) {
      const Status set = SetOption(row, each, &options);
      if (!set) return AtPlace(set.error(), path);
    }
  }
  return options;
}

}  // namespace

std::string PlaceOf(const ListedDocument& document) {
  if (document.source.empty()) return {};
  return fmt::format("{}{}:{}", document.in_reference ? "against:" : "", document.source,
                     document.row);
}

double ListedRemoval::score() const {
  if (!containment_ab || !containment_ba) return resemblance;
  return std::max(*containment_ab, *containment_ba);
}

struct ResultLists::State {
  State(std::string in, Lines removals, Lines cluster_lines)
      : folder(std::move(in)), removed(std::move(removals)), clusters(std::move(cluster_lines)) {}

  /// Finds the lines of both files.
  Status FindLines();

  /// Returns the names of inputs; an Error if one is not as checks.jsonl says.
  Result<std::vector<std::string>> KnownInputs(const Inputs& inputs, const Options& options) const;

  /// Reads what checks.jsonl says about the inputs, if it is there.
  Status ReadChecked(FileSystem& files);

  [[nodiscard]] Failure Damaged(const Lines& lines, uint64_t offset) const {
    return CorruptError(fmt::format("the line at byte {} is not as a run writes it; run "
                                    "`lookalike dedup` again",
                                    offset),
                        lines.path());
  }

  std::string folder, manifest, hash;
  std::vector<CheckedInput> checked;  ///< The inputs, as checks.jsonl has them.
  Options options;
  Lines removed, clusters;
  std::vector<uint64_t> cluster_at;  ///< By number, from 0: where its line begins.
  /// By cluster, from 0: where its removals begin in removal_at. One more than there are clusters.
  std::vector<uint64_t> first_removal;
  std::vector<uint64_t> removal_at;  ///< Where their lines begin.
};

Status ResultLists::State::FindLines() {
  clusters.ForEach([&](uint64_t offset, std::string_view /*line*/) {
    cluster_at.push_back(offset);
    return true;
  });
  first_removal.assign(cluster_at.size() + 1, 0);
  std::vector<std::pair<uint64_t, uint64_t>> found;  // the cluster of each line, and its offset
  std::optional<uint64_t> damaged;
  removed.ForEach([&](uint64_t offset, std::string_view line) {
    const uint64_t number = ClusterOf(line);
    if (number == 0 || number > cluster_at.size()) {
      damaged = offset;
      return false;
    }
    ++first_removal[number];
    found.emplace_back(number, offset);
    return true;
  });
  if (damaged) return Damaged(removed, *damaged);
  for (size_t i = 1; i < first_removal.size(); ++i) first_removal[i] += first_removal[i - 1];
  removal_at.resize(found.size());
  std::vector<uint64_t> next(first_removal.begin(), first_removal.end() - 1);
  for (const auto& [number, offset] : found) removal_at[next[number - 1]++] = offset;
  return {};
}

Status ResultLists::State::ReadChecked(FileSystem& files) {
  const std::string path = folder + "/" + std::string(kChecksFile);
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(path));
  if (facts.kind != FileKind::kFile) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, files));
  auto checks = ReadChecks(text);
  if (!checks) return CorruptError("is damaged; run `lookalike dedup` again", path);
  checked = std::move(checks->inputs);
  const size_t quote = text.rfind('"'), begin = text.rfind('"', quote - 1) + 1;
  hash = text.substr(begin, quote - begin);
  return {};
}

ResultLists::ResultLists(std::unique_ptr<State> state) : state_(std::move(state)) {}
ResultLists::ResultLists(ResultLists&&) noexcept = default;
ResultLists& ResultLists::operator=(ResultLists&&) noexcept = default;
ResultLists::~ResultLists() = default;

Result<ResultLists> ResultLists::Open(const std::string& folder) {
  return WithoutExceptions([&]() -> Result<ResultLists> {
    if (IsObjectUri(folder)) {
      return UsageError("is in an object store; copy the result to this machine first", folder);
    }
    FileSystem& files = RealFileSystem();
    const std::string path = folder + "/manifest.json";
    for (const char* const name : {"manifest.json", kRemoved, kClusters}) {
      LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(folder + "/" + name));
      if (facts.kind == FileKind::kFile) continue;
      return UsageError(
          fmt::format("is not a result of `lookalike dedup`: it has no {}; results of "
                      "sketch files are not shown",
                      name),
          folder);
    }
    LOOKALIKE_ASSIGN_OR_RETURN(Lines removed, Lines::Open(folder + "/" + kRemoved));
    LOOKALIKE_ASSIGN_OR_RETURN(Lines clusters, Lines::Open(folder + "/" + kClusters));
    auto state = std::make_unique<State>(folder, std::move(removed), std::move(clusters));
    LOOKALIKE_ASSIGN_OR_RETURN(state->manifest, ReadWholeFile(path, files));
    LOOKALIKE_ASSIGN_OR_RETURN(state->options, OptionsOf(state->manifest, path));
    LOOKALIKE_RETURN_IF_ERROR(state->FindLines());
    LOOKALIKE_RETURN_IF_ERROR(state->ReadChecked(files));
    return ResultLists(std::move(state));
  });
}

const std::string& ResultLists::manifest() const { return state_->manifest; }

const Options& ResultLists::options() const { return state_->options; }

uint64_t ResultLists::clusters() const { return state_->cluster_at.size(); }

const std::string& ResultLists::hash() const { return state_->hash; }

Result<std::vector<std::string>> ResultLists::State::KnownInputs(const Inputs& inputs,
                                                                 const Options& reading) const {
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job,
                             ResolveReading(inputs, reading, "", ReadingOf(reading, {}, "")));
  std::vector<std::string> names;
  for (const InputFile& file : job.inputs) {
    LOOKALIKE_ASSIGN_OR_RETURN(CheckedInput input, DescribeInput(file, false));
    const bool is_known = std::ranges::any_of(checked, [&](const CheckedInput& known) {
      return known.name == input.name && known.bytes == input.bytes &&
             (!known.edges || !input.edges || known.edges == input.edges);
    });
    if (!is_known && !checked.empty()) {
      return InputError(
          "is not an input of this result, or has changed since; pass the files or "
          "folders that it was made from",
          file.place());
    }
    names.push_back(std::move(input.name));
  }
  return names;
}

Status ResultLists::CheckAllInputs(const Inputs& inputs, const Options& options) const {
  return WithoutExceptions([&]() -> Status {
    if (state_->checked.empty()) {
      return UsageError("has no checks.jsonl, by which inputs are known again; make it again",
                        state_->folder);
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const std::vector<std::string> given,
                               state_->KnownInputs(inputs, options));
    std::vector<std::string> known;
    for (const CheckedInput& input : state_->checked) known.push_back(input.name);
    if (given == known) return {};
    return UsageError(
        fmt::format("was made from {} inputs, and {} are given, or in another order; pass the same "
                    "files or folders",
                    known.size(), given.size()),
        state_->folder);
  });
}

Status ResultLists::CheckInputs(const Inputs& inputs, const Options& options) const {
  return WithoutExceptions([&]() -> Status {
    LOOKALIKE_RETURN_IF_ERROR(state_->KnownInputs(inputs, options));
    return {};
  });
}

Result<std::optional<std::string>> ResultLists::ReportData() const {
  return WithoutExceptions([&]() -> Result<std::optional<std::string>> {
    FileSystem& files = RealFileSystem();
    const std::string path = state_->folder + "/report.html";
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(path));
    if (facts.kind != FileKind::kFile) return std::nullopt;
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string page, ReadWholeFile(path, files));
    // The writer escapes every `<` of the data, so that the element ends at the next one.
    constexpr std::string_view kBegin = R"(<script type="application/json" id="report-data">)";
    const size_t begin = page.find(kBegin);
    const size_t end = begin == page.npos ? begin : page.find('<', begin + kBegin.size());
    if (end == page.npos) return CorruptError("is not the report of a result", path);
    return page.substr(begin + kBegin.size(), end - begin - kBegin.size());
  });
}

Result<std::vector<ListedReason>> ResultLists::Rejections(size_t most) const {
  return WithoutExceptions([&]() -> Result<std::vector<ListedReason>> {
    const std::string path = state_->folder + "/rejected.jsonl";
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(path));
    if (facts.kind != FileKind::kFile || facts.size == 0) return std::vector<ListedReason>();
    LOOKALIKE_ASSIGN_OR_RETURN(const Lines lines, Lines::Open(path));
    std::map<std::string, uint64_t> counts;
    ListParser parser;
    std::optional<uint64_t> damaged;
    lines.ForEach([&](uint64_t offset, std::string_view line) {
      std::string reason;
      if (!parser.Parse(line) || !parser.Read("reason", &reason)) {
        damaged = offset;
        return false;
      }
      if (counts.size() < kMostReasons || counts.contains(reason)) ++counts[reason];
      return true;
    });
    if (damaged) return state_->Damaged(lines, *damaged);
    std::vector<ListedReason> reasons;
    for (const auto& [reason, records] : counts) reasons.push_back({reason, records});
    std::ranges::stable_sort(reasons, std::greater(), &ListedReason::records);
    reasons.resize(std::min(reasons.size(), most));
    return reasons;
  });
}

Result<ListedPairs> ResultLists::Guarded(uint64_t after, size_t most) const {
  return WithoutExceptions([&]() -> Result<ListedPairs> {
    const std::string path = state_->folder + "/guarded.jsonl";
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(path));
    if (facts.kind != FileKind::kFile || facts.size == 0) return ListedPairs();
    LOOKALIKE_ASSIGN_OR_RETURN(const Lines lines, Lines::Open(path));
    if (!lines.Begins(after)) {
      return UsageError(fmt::format("no line begins at {}; use the `next` of an answer", after),
                        path);
    }
    ListedPairs pairs;
    lines.ForEach(
        [&](uint64_t offset, std::string_view line) {
          if (pairs.lines.size() == most) {
            pairs.next = offset;
            return false;
          }
          pairs.lines.emplace_back(line);
          return true;
        },
        after);
    return pairs;
  });
}

Result<ListedCluster> ResultLists::Cluster(uint64_t number) const {
  return WithoutExceptions([&]() -> Result<ListedCluster> {
    const uint64_t offset = state_->cluster_at.at(number - 1);
    ListedCluster cluster;
    std::vector<std::string> kept;
    ListParser parser;
    if (!parser.Parse(state_->clusters.At(offset)) || !parser.Read("cluster", &cluster.number) ||
        !parser.Read("size", &cluster.size) || !parser.Read("kept", &kept) ||
        cluster.number != number) {
      return state_->Damaged(state_->clusters, offset);
    }
    cluster.removed = state_->first_removal[number] - state_->first_removal[number - 1];
    const uint64_t looked_at = kept.size() > 1 ? kMostWitnesses : 1;
    LOOKALIKE_ASSIGN_OR_RETURN(const auto removals, Removals(number, 0, looked_at));
    Witnesses witnesses(removals);
    for (std::string& id : kept) cluster.kept.push_back(witnesses.Take(std::move(id)));
    return cluster;
  });
}

Result<std::vector<ListedRemoval>> ResultLists::Removals(uint64_t number, uint64_t first,
                                                         uint64_t count) const {
  return WithoutExceptions([&]() -> Result<std::vector<ListedRemoval>> {
    const uint64_t end = state_->first_removal.at(number);
    const uint64_t begin = std::min(end, state_->first_removal[number - 1] + std::min(first, end));
    std::vector<ListedRemoval> removals;
    ListParser parser;
    for (uint64_t i = begin; i < end && removals.size() < count; ++i) {
      const uint64_t offset = state_->removal_at[i];
      auto removal = RemovalOf(state_->removed.At(offset), &parser);
      if (!removal) return state_->Damaged(state_->removed, offset);
      removals.push_back(*std::move(removal));
    }
    return removals;
  });
}

}  // namespace lookalike
