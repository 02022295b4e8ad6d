#include "results/guard_differences.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "format/json_text.h"
#include "stages/guards/guard_reader.h"

namespace lookalike {
namespace {

void AppendCount(uint64_t count, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&count), sizeof(count));
}

void AppendTokens(std::span<const std::string> tokens, std::string* json) {
  *json += "[";
  const char* separator = "";
  for (const std::string& token : tokens) {
    *json += separator;
    separator = ", ";
    AppendJsonString(json, token);
  }
  *json += "]";
}

}  // namespace

void StoredTokens::Append(const TokenList& tokens, std::string* bytes) {
  AppendCount(tokens.size(), bytes);
  for (size_t i = 0; i < tokens.size(); ++i) {
    AppendCount(tokens[i].size(), bytes);
    *bytes += tokens[i];
  }
}

std::vector<std::string> StoredTokens::Next() {
  std::vector<std::string> tokens;
  for (uint64_t left = ReadCount(); left > 0 && !cut_; --left) {
    const uint64_t length = ReadCount();
    cut_ |= length > bytes_.size();
    tokens.emplace_back(bytes_.substr(0, length));
    bytes_.remove_prefix(tokens.back().size());
  }
  return tokens;
}

uint64_t StoredTokens::ReadCount() {
  uint64_t count = 0;
  cut_ |= bytes_.size() < sizeof(count);
  if (cut_) return 0;
  std::memcpy(&count, bytes_.data(), sizeof(count));
  bytes_.remove_prefix(sizeof(count));
  return count;
}

std::vector<GuardDifference> DifferencesOf(const GuardSpec& spec, StoredTokens* a,
                                           StoredTokens* d) {
  std::vector<GuardDifference> differences;
  for (const Guard& guard : spec.differ) {
    std::vector<std::string> of_a = a->Next(), of_d = d->Next();
    TokenDifference found = DifferenceOf(std::move(of_a), std::move(of_d));
    if (found.empty()) continue;
    differences.push_back({guard.name, std::move(found.only_a), std::move(found.only_b)});
  }
  return differences;
}

void AppendDifferences(std::span<const GuardDifference> differ, std::string* json) {
  *json += "{";
  const char* separator = "";
  for (const GuardDifference& difference : differ) {
    *json += separator;
    separator = ", ";
    AppendJsonString(json, difference.guard);
    *json += ": [";
    AppendTokens(difference.only_a, json);
    *json += ", ";
    AppendTokens(difference.only_b, json);
    *json += "]";
  }
  *json += "}";
}

}  // namespace lookalike
