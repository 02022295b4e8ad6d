#include "result_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "lookalike/index.h"
#include "lookalike/options_table.h"
#include "result_texts.h"

namespace lookalike::server {
namespace {

namespace fs = std::filesystem;

/// A folder that is removed with this object.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> Make() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    std::string path = ((error ? "/tmp" : parent) / "lookalike-texts-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) {
      return DiskError(
          fmt::format("cannot be made: {}; pass --texts, or set TMPDIR", std::strerror(errno)),
          path);
    }
    return TemporaryFolder(std::move(path));
  }
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  TemporaryFolder(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

/// Returns the options for one text of each document, the first: what is shown of it. Guards are
/// left out, so that a search finds all that is alike.
Options OfFirstText(Options options) {
  options.differ.clear();
  options.same.clear();
  options.not_same.clear();
  if (options.text_field.size() > 1) options.text_field.resize(1);
  options.fields = Options().fields;
  options.threshold = options.threshold.least;
  return options;
}

Result<Index> OpenIndex(const std::string& folder, const Options& options, uint64_t memory) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored) || fs::is_empty(folder, ignored)) {
    IndexSettings settings;
    for (const OptionRow& row : OptionTable()) {
      const std::string text = OptionText(row, options);
      if (!IsIndexOption(row) || text.empty()) continue;
      LOOKALIKE_RETURN_IF_ERROR(SetOption(row, text, &settings.options));
    }
    settings.kept = Kept::kText;
    settings.clusters = false;
    LOOKALIKE_RETURN_IF_ERROR(Index::Create(folder, settings));
  }
  auto index = Index::Open(folder, IndexMode::kWrite, memory);
  if (index || index.error().code == ErrorCode::kUsage) return index;
  Error error = index.error();
  error.what += fmt::format("; remove {}, and the texts are read again", folder);
  return tl::make_unexpected(std::move(error));
}

/// Returns the folder of texts that were stored with the values of these fields.
std::string TextsOf(const ResultPlace& place, const std::string& hash) {
  const std::string folder = place.texts + "/" + hash;
  if (place.agree.empty()) return folder;
  Options fields;
  fields.same = place.agree;
  return folder + "-" + OptionsDigest(fields, Command::kDedup);
}

ResultInputs InputsOf(const ResultPlace& place, const ResultLists& lists, const Json& manifest) {
  ResultInputs inputs = {place.inputs, OfFirstText(lists.options()), 0, place.agree};
  inputs.options.memory = place.memory;
  // The documents of an index are known by their features; their texts are its own.
  const bool read_reference = std::ranges::none_of(inputs.options.against, IsIndex);
  if (!read_reference) inputs.options.against.clear();
  const auto count = [&](const char* group, const char* member) -> uint64_t {
    const auto at = manifest.find(group);
    if (at == manifest.end() || !at->is_object() || !at->contains(member)) return 0;
    return (*at)[member].is_number_unsigned() ? (*at)[member].get<uint64_t>() : 0;
  };
  inputs.documents = count("records", "in") - count("records", "rejected");
  if (read_reference) inputs.documents += count("reference", "documents");
  return inputs;
}

std::string DesignOf(const Json& manifest) {
  const auto at = manifest.find("design");
  return at != manifest.end() && at->is_string() ? at->get<std::string>() : "";
}

/// Refuses decisions that cannot be read, or were made about another result: cluster 5 of that one
/// is not cluster 5 of this one.
Status CheckDecisions(const std::string& path, const ResultLists& lists) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto decisions, ReadDecisions(path));
  for (const Decision& decision : decisions) {
    if (decision.result.empty() || decision.result == lists.hash()) continue;
    return UsageError(
        "has decisions about another result; pass another file with --decisions, or move this one "
        "away",
        path);
  }
  return {};
}

/// Shows what an audit found. A file that nobody named, and that is of no use, is left alone.
Status ShowAudit(const std::string& named, const std::string& folder,
                 const std::function<void(const std::string&)>& log, ResultService* result) {
  const std::string path = named.empty() ? folder + ".audit.jsonl" : named;
  std::error_code ignored;
  if (named.empty() && !fs::exists(path, ignored)) return {};
  auto audit = AuditFile::Open(path, result->lists().hash());
  if (audit) {
    result->ShowAudit(*std::move(audit));
  } else if (named.empty()) {
    log(fmt::format("lookalike: {} is not shown: {}", path, audit.error().what));
  } else {
    return tl::make_unexpected(std::move(audit).error());
  }
  return {};
}

}  // namespace

std::string FolderName(const std::string& folder) {
  fs::path path(folder);
  if (path.has_relative_path() && !path.has_filename()) path = path.parent_path();
  std::error_code error;
  if (path == "." || path.filename() == "..") path = fs::canonical(path, error);
  return error ? folder : path.string();
}

// The thread that reads texts ends first, and the folder that they are in goes last.
struct ResultSite::Parts {
  std::optional<TemporaryFolder> temporary;
  std::unique_ptr<Service> service;
  std::unique_ptr<ResultService> result;
  std::unique_ptr<ResultTexts> texts;

  ~Parts() { texts.reset(); }
};

ResultSite::ResultSite(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ResultSite::~ResultSite() = default;

Result<std::unique_ptr<ResultSite>> ResultSite::Open(
    const ResultPlace& place, const std::function<void(const std::string&)>& log) {
  const std::string folder = FolderName(place.folder);
  LOOKALIKE_ASSIGN_OR_RETURN(ResultLists lists, ResultLists::Open(folder));
  ResultSettings settings = {fs::path(folder).filename().string(), place.decisions, place.agree};
  if (settings.decisions.empty()) settings.decisions = folder + ".decisions.jsonl";
  // A file that cannot be read is better refused now than when somebody decides.
  LOOKALIKE_RETURN_IF_ERROR(CheckDecisions(settings.decisions, lists));
  auto parts = std::make_unique<Parts>();
  std::string texts;
  if (place.texts.empty()) {
    LOOKALIKE_ASSIGN_OR_RETURN(TemporaryFolder temporary, TemporaryFolder::Make());
    texts = parts->temporary.emplace(std::move(temporary)).path();
  } else {
    if (lists.hash().empty()) {
      return UsageError("has no checks.jsonl, by which texts are known again; run without --texts",
                        folder);
    }
    texts = TextsOf(place, lists.hash());
    std::error_code error;
    fs::create_directories(place.texts, error);
    if (error) return DiskError(fmt::format("cannot be made: {}", error.message()), place.texts);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(Index index,
                             OpenIndex(texts, OfFirstText(lists.options()), place.memory));
  LOOKALIKE_ASSIGN_OR_RETURN(const IndexStats stats, index.Stats());
  parts->service = std::make_unique<Service>(std::move(index), ServiceSettings{}, log);
  const Json manifest = Json::parse(lists.manifest(), nullptr, false);
  ResultInputs inputs = InputsOf(place, lists, manifest);
  const bool are_there = stats.documents > 0 && stats.documents == inputs.documents;
  auto* const service = parts->service.get();
  auto meeting = Meeting::Of(lists.options(), DesignOf(manifest));
  if (meeting) service->ExplainBy(*std::move(meeting));
  parts->result = std::make_unique<ResultService>(std::move(lists), std::move(settings), service);
  LOOKALIKE_RETURN_IF_ERROR(ShowAudit(place.audit, folder, log, parts->result.get()));
  if (!place.inputs.names.empty() || are_there) {
    parts->texts = std::make_unique<ResultTexts>(
        std::move(inputs), stats.documents,
        [result = parts->result.get()](const Inputs& each, const Options& options) {
          return result->lists().CheckInputs(each, options);
        },
        [service](std::span<const IndexDocument> documents) { return service->Store(documents); });
    parts->result->ShowTexts(parts->texts.get());
  }
  return std::unique_ptr<ResultSite>(new ResultSite(std::move(parts)));
}

Served ResultSite::served() { return {parts_->service.get(), parts_->result.get()}; }

}  // namespace lookalike::server
