#include "audit_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace lookalike::server {

namespace {

bool HasText(const Json& json, const char* member) {
  return json.contains(member) && json[member].is_string();
}

bool IsSummary(const Json& json) {
  return json.contains("audit") && json["audit"] == 1 && HasText(json, "result") &&
         HasText(json, "list") && json.contains("summary") && json["summary"].is_object();
}

bool IsFinding(const Json& json) {
  return HasText(json, "kind") && json.contains("document") && json["document"].is_object() &&
         HasText(json["document"], "id") && HasText(json["document"], "place");
}

}  // namespace

Result<AuditFile> AuditFile::Open(const std::string& path, const std::string& result) {
  AuditFile audit(path);
  std::error_code ignored;
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path, ignored)) {
    return DiskError("cannot be read as a file", path);
  }
  const auto damaged = [&](uint64_t row) {
    return InputError("is not a finding; make the audit again", fmt::format("{}:{}", path, row));
  };
  std::string line;
  uint64_t place = 0;
  for (uint64_t row = 1; std::getline(file, line); ++row) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object() || !audit.about_.is_null()) return damaged(row);
    if (IsSummary(json)) {
      audit.about_ = json;
    } else if (IsFinding(json)) {
      audit.places_[json["kind"].get<std::string>()].push_back(place);
    } else {
      return damaged(row);
    }
    place += line.size() + 1;
  }
  if (audit.about_.is_null()) {
    return InputError("has no summary at its end; make the audit again", path);
  }
  if (audit.about_["result"] == result) return audit;
  return UsageError("is about another result; make the audit again, or name another with --audit",
                    path);
}

uint64_t AuditFile::Count(std::string_view kind) const {
  const auto at = places_.find(kind);
  return at == places_.end() ? 0 : at->second.size();
}

Result<Json> AuditFile::Find(std::string_view kind, uint64_t first, uint64_t count) const {
  Json findings = Json::array();
  const uint64_t end = std::min(Count(kind), first + std::min(count, Count(kind)));
  if (first >= end) return findings;
  std::ifstream file(path_, std::ios::binary);
  const std::vector<uint64_t>& places = places_.find(kind)->second;
  std::string line;
  for (uint64_t i = first; i < end; ++i) {
    file.seekg(static_cast<std::streamoff>(places[i]));
    Json json = std::getline(file, line) ? Json::parse(line, nullptr, false) : Json();
    if (!json.is_object()) return InputError("changed while it was served", path_);
    findings.push_back(std::move(json));
  }
  return findings;
}

}  // namespace lookalike::server
