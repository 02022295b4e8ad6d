#include "options/method_option.h"

#include <fmt/format.h>

#include <charconv>

namespace lookalike {
namespace {

constexpr std::string_view kMerge = "shingle-merge", kUnlimited = "unlimited";

bool ParseLimit(std::string_view text, uint64_t* limit) {
  if (text == kUnlimited) {
    *limit = UINT64_MAX;
    return true;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *limit);
  return error == std::errc() && end == text.data() + text.size() && *limit >= 2;
}

}  // namespace

Result<MethodOption> ParseMethodOption(std::string_view text) {
  MethodOption option;
  if (text == "auto") return option;
  if (text == "lsh" || text == "exact") {
    option.kind = text == "lsh" ? MethodOption::Kind::kLsh : MethodOption::Kind::kExact;
    return option;
  }
  if (text.starts_with(kMerge)) {
    option.kind = MethodOption::Kind::kShingleMerge;
    const std::string_view rest = text.substr(kMerge.size());
    if (rest.empty()) return option;
    if (rest[0] == ':' && ParseLimit(rest.substr(1), &option.most_sharing)) return option;
  }
  return OptionError(fmt::format(
      "$<method='{}'> is not allowed; use auto, lsh, exact or shingle-merge, or "
      "shingle-merge:N to leave out shingles of more than N documents (from 2, or unlimited)",
      text));
}

std::string ToString(const MethodOption& option) {
  switch (option.kind) {
    case MethodOption::Kind::kAuto:
      return "auto";
    case MethodOption::Kind::kLsh:
      return "lsh";
    case MethodOption::Kind::kExact:
      return "exact";
    case MethodOption::Kind::kShingleMerge:
      break;
  }
  if (option.most_sharing == UINT64_MAX) return fmt::format("{}:{}", kMerge, kUnlimited);
  return fmt::format("{}:{}", kMerge, option.most_sharing);
}

}  // namespace lookalike
