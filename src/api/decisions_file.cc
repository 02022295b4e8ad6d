#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "io/file_system.h"
#include "io/whole_file.h"
#include "lookalike/decisions.h"
#include "run/no_exceptions.h"
#include "run/write_file.h"

namespace lookalike {
namespace {

using Json = nlohmann::ordered_json;

/// Numbers stay exact in programs that have floating-point numbers only.
constexpr uint64_t kMostNumber = uint64_t{1} << 53;

/// Waits for the lock of a folder. Where the file system has no locks, it holds nothing.
Result<DirectoryLock> Lock(const std::string& folder, FileSystem& files) {
  for (int attempt = 0;; ++attempt) {
    LOOKALIKE_ASSIGN_OR_RETURN(DirectoryLock lock, files.LockDirectory(folder));
    if (lock.state != DirectoryLock::State::kBusy) return lock;
    if (attempt == 100) {
      return MemoryError("another process is changing decisions; try again in a second", folder);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

Json JsonOf(const ListedDocument& document) {
  Json json = {{"id", document.id}, {"source", document.source}, {"row", document.row}};
  if (document.in_reference) json["reference"] = true;
  return json;
}

std::optional<ListedDocument> DocumentOf(const Json& json) {
  if (!json.is_object() || !json.contains("id") || !json["id"].is_string() ||
      !json.contains("source") || !json["source"].is_string() || !json.contains("row") ||
      !json["row"].is_number_unsigned()) {
    return std::nullopt;
  }
  return ListedDocument{json["id"], json["source"], json["row"],
                        json.contains("reference") && json["reference"] == true};
}

std::optional<Decision> DecisionOf(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("decision") || !json["decision"].is_string() ||
      !json.contains("documents") || !json["documents"].is_array()) {
    return std::nullopt;
  }
  const auto kind = DecisionKindOf(json["decision"].get<std::string>());
  const auto number = json.find("number"), cluster = json.find("cluster");
  if (!kind || number == json.end() || !number->is_number_unsigned() || cluster == json.end() ||
      !cluster->is_number_unsigned()) {
    return std::nullopt;
  }
  const auto result = json.find("result");
  if (*number > kMostNumber || (result != json.end() && !result->is_string())) return std::nullopt;
  const size_t documents = json["documents"].size();
  if (*kind == DecisionKind::kKeep && documents != 1) return std::nullopt;
  if (*kind == DecisionKind::kMerge && documents < 2) return std::nullopt;
  Decision decision = {*number, *kind, *cluster, {}, {}};
  if (result != json.end()) decision.result = *result;
  for (const Json& each : json["documents"]) {
    auto document = DocumentOf(each);
    if (!document) return std::nullopt;
    decision.documents.push_back(*std::move(document));
  }
  return decision;
}

}  // namespace

std::string_view NameOf(DecisionKind kind) {
  constexpr std::string_view kNames[] = {"keep", "split", "merge", "none"};
  return kNames[static_cast<size_t>(kind)];
}

std::optional<DecisionKind> DecisionKindOf(std::string_view name) {
  for (const DecisionKind kind :
       {DecisionKind::kKeep, DecisionKind::kSplit, DecisionKind::kMerge, DecisionKind::kNone}) {
    if (NameOf(kind) == name) return kind;
  }
  return std::nullopt;
}

std::string DecisionJson(const Decision& decision) {
  Json documents = Json::array();
  for (const ListedDocument& document : decision.documents) documents.push_back(JsonOf(document));
  Json json = {{"number", decision.number},
               {"decision", NameOf(decision.kind)},
               {"cluster", decision.cluster},
               {"documents", std::move(documents)}};
  if (!decision.result.empty()) json["result"] = decision.result;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<std::vector<Decision>> ReadDecisions(const std::string& path) {
  return WithoutExceptions([&]() -> Result<std::vector<Decision>> {
    FileSystem& files = RealFileSystem();
    std::vector<Decision> decisions;
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(path));
    if (facts.kind == FileKind::kMissing) return decisions;
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, files));
    size_t row = 1;
    for (std::string_view rest = text; !rest.empty(); ++row) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      if (line.find_first_not_of(" \t\r") == line.npos) continue;
      auto decision = DecisionOf(line);
      if (!decision) {
        return InputError(
            "is not a decision, such as {\"number\": 1, \"decision\": \"keep\", \"cluster\": 5, "
            "\"documents\": [{\"id\": \"c\", \"source\": \"in.jsonl\", \"row\": 3}]}",
            fmt::format("{}:{}", path, row));
      }
      if (!decisions.empty() && decision->number <= decisions.back().number) {
        return InputError(
            fmt::format("has the number {}, which must be above the one before", decision->number),
            fmt::format("{}:{}", path, row));
      }
      decisions.push_back(*std::move(decision));
    }
    return decisions;
  });
}

Status ChangeDecisions(const std::string& path,
                       const std::function<Status(std::vector<Decision>*)>& change) {
  return WithoutExceptions([&]() -> Status {
    LOOKALIKE_ASSIGN_OR_RETURN(const DirectoryLock lock, Lock(ParentOf(path), RealFileSystem()));
    LOOKALIKE_ASSIGN_OR_RETURN(std::vector<Decision> decisions, ReadDecisions(path));
    LOOKALIKE_RETURN_IF_ERROR(change(&decisions));
    std::string lines;
    for (const Decision& decision : decisions) lines += DecisionJson(decision) + "\n";
    return WriteFile(path, {}, [&](OutputStream* out) { return out->Write(lines); });
  });
}

}  // namespace lookalike
