#include "agreement.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace lookalike::server {
namespace {

/// Bytes of all values of a document; an index takes 64 KiB of metadata, and JSON writes a byte in
/// six at most.
constexpr size_t kMostBytes = 8 << 10;

/// Returns the front of a text, at most so many bytes of it, without half a character.
std::string_view FrontOf(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

}  // namespace

std::string MetadataWithFields(std::string_view id, std::span<const std::string> names,
                               std::span<const FieldText> values) {
  Json json = Json::object();
  if (!id.empty()) json["id"] = id;
  Json& fields = json["fields"] = Json::object();
  const size_t most = kMostBytes / std::max<size_t>(1, names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    fields[names[i]] = values[i] ? Json(FrontOf(*values[i], most)) : Json();
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void FieldCounts::Add(std::string_view metadata) {
  const Json json = Json::parse(metadata, nullptr, false);
  const Json none = Json::object();
  const bool has_fields = json.is_object() && json.contains("fields") && json["fields"].is_object();
  const Json& fields = has_fields ? json["fields"] : none;
  for (size_t i = 0; i < names_.size(); ++i) {
    const auto at = fields.find(names_[i]);
    const bool is_there = at != fields.end() && at->is_string();
    ++counts_[i][is_there ? FieldText(at->get<std::string>()) : std::nullopt];
  }
}

Json FieldCounts::Differing(size_t most_values) const {
  Json differing = Json::array();
  for (size_t i = 0; i < names_.size(); ++i) {
    if (counts_[i].size() < 2) continue;
    std::vector<std::pair<FieldText, uint64_t>> values(counts_[i].begin(), counts_[i].end());
    std::ranges::stable_sort(values, std::greater(), [](const auto& each) { return each.second; });
    values.resize(std::min(values.size(), most_values));
    Json listed = Json::array();
    for (const auto& [value, documents] : values) {
      listed.push_back({{"value", value ? Json(*value) : Json()}, {"documents", documents}});
    }
    differing.push_back(
        {{"field", names_[i]}, {"different", counts_[i].size()}, {"values", std::move(listed)}});
  }
  return differing;
}

}  // namespace lookalike::server
