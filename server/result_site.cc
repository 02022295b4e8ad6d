#include "result_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "lookalike/index.h"
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

/// Returns the hash that ends checks.jsonl, which no other result has.
Result<std::string> HashOf(const std::string& folder) {
  const std::string path = folder + "/checks.jsonl";
  std::ifstream file(path);
  std::string line, last;
  while (std::getline(file, line)) last = std::move(line);
  const Json json = Json::parse(last, nullptr, false);
  if (json.is_object() && json.contains("check") && json["check"].is_string()) {
    const auto hash = json["check"].get<std::string>();
    if (hash.find_first_not_of("0123456789abcdef") == hash.npos && !hash.empty()) return hash;
  }
  return CorruptError("does not end with the hash of the result; run without --texts", path);
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
  return Index::Open(folder, IndexMode::kWrite, memory);
}

ResultInputs InputsOf(const ResultPlace& place, const ResultLists& lists) {
  ResultInputs inputs = {place.inputs, lists.options(), {}, 0};
  const Json manifest = Json::parse(lists.manifest(), nullptr, false);
  const auto count = [&](const char* group, const char* member) -> uint64_t {
    const auto at = manifest.find(group);
    return at == manifest.end() || !at->is_object() ? 0 : at->value(member, uint64_t{0});
  };
  inputs.documents =
      count("records", "in") - count("records", "rejected") + count("reference", "documents");
  if (manifest.contains("inputs") && manifest["inputs"].is_array()) {
    for (const Json& input : manifest["inputs"]) {
      if (!input.value("reference", false)) inputs.names.insert(input.value("name", ""));
    }
  }
  return inputs;
}

}  // namespace

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
  std::string folder = place.folder;
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  LOOKALIKE_ASSIGN_OR_RETURN(ResultLists lists, ResultLists::Open(folder));
  ResultSettings settings = {fs::path(folder).filename().string(), place.decisions};
  if (settings.decisions.empty()) settings.decisions = folder + ".decisions.jsonl";
  // A file that cannot be read is better refused now than when somebody decides.
  LOOKALIKE_RETURN_IF_ERROR(ReadDecisions(settings.decisions));
  auto parts = std::make_unique<Parts>();
  std::string texts;
  if (place.texts.empty()) {
    LOOKALIKE_ASSIGN_OR_RETURN(TemporaryFolder temporary, TemporaryFolder::Make());
    texts = parts->temporary.emplace(std::move(temporary)).path();
  } else {
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string hash, HashOf(folder));
    texts = place.texts + "/" + hash;
    std::error_code error;
    fs::create_directories(place.texts, error);
    if (error) return DiskError(fmt::format("cannot be made: {}", error.message()), place.texts);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(Index index, OpenIndex(texts, lists.options(), place.memory));
  LOOKALIKE_ASSIGN_OR_RETURN(const IndexStats stats, index.Stats());
  parts->service = std::make_unique<Service>(std::move(index), ServiceSettings{}, log);
  if (!place.inputs.names.empty()) {
    parts->texts = std::make_unique<ResultTexts>(
        InputsOf(place, lists), stats.documents,
        [service = parts->service.get()](std::span<const IndexDocument> documents) {
          return service->Store(documents);
        });
  }
  parts->result = std::make_unique<ResultService>(std::move(lists), std::move(settings),
                                                  parts->texts.get(), parts->service.get());
  return std::unique_ptr<ResultSite>(new ResultSite(std::move(parts)));
}

Served ResultSite::served() { return {parts_->service.get(), parts_->result.get()}; }

}  // namespace lookalike::server
