#include "format/journal.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "format/json_text.h"

namespace lookalike {
namespace {

std::string Hex(uint64_t value) { return fmt::format("{:016x}", value); }

std::string Body(const RunRecord& entry) {
  std::string text = "{\"unit\": ";
  AppendJsonString(&text, entry.unit);
  text += ", \"file\": ";
  AppendJsonString(&text, entry.file);
  text += ", \"bytes\": " + std::to_string(entry.bytes) + ", \"xxh3\": \"" + Hex(entry.xxh3) + "\"";
  return text;
}

std::optional<RunRecord> Decode(std::string_view line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto text = [&](const char* name) -> std::string {
    const auto at = json.find(name);
    return at != json.end() && at->is_string() ? at->get<std::string>() : "";
  };
  RunRecord entry;
  entry.unit = text("unit");
  entry.file = text("file");
  const auto bytes = json.find("bytes");
  if (bytes == json.end() || !bytes->is_number_unsigned()) return std::nullopt;
  entry.bytes = bytes->get<uint64_t>();
  const std::string hash = text("xxh3");
  const auto [end, error] = std::from_chars(hash.data(), hash.data() + hash.size(), entry.xxh3, 16);
  if (error != std::errc() || end != hash.data() + hash.size()) return std::nullopt;
  // An entry is valid only if its line is exactly what would be written for it.
  const std::string whole = EncodeJournalLine(entry);
  if (std::string_view(whole).substr(0, whole.size() - 1) != line) return std::nullopt;
  return entry;
}

}  // namespace

std::string EncodeJournalLine(const RunRecord& entry) {
  const std::string body = Body(entry);
  return body + ", \"check\": \"" + Hex(XXH3_64bits(body.data(), body.size())) + "\"}\n";
}

std::vector<RunRecord> DecodeJournal(std::string_view text) {
  std::vector<RunRecord> entries;
  for (size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    auto entry = Decode(text.substr(0, end));
    if (!entry) break;
    entries.push_back(*std::move(entry));
  }
  return entries;
}

}  // namespace lookalike
