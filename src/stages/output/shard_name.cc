#include "stages/output/shard_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "records/format.h"

namespace lookalike {
namespace {

/// Returns the name without its last extension, if `is_known` says so of that in lower case.
template <class IsKnown>
std::string_view WithoutExtension(std::string_view name, const IsKnown& is_known) {
  const size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0 || name[dot - 1] == '/') return name;
  const std::string ending = LowerEnding(name);
  return !ending.empty() && is_known(ending) ? name.substr(0, dot) : name;
}

/// Returns the name without the endings of a format and a codec.
std::string_view StemOf(std::string_view name) {
  return WithoutExtension(WithoutExtension(name, IsCodecEnding), [](std::string_view ending) {
    return FormatOfEnding(ending).has_value();
  });
}

}  // namespace

std::optional<std::string> NameOfShard(std::string_view shard) {
  const std::string_view stem = StemOf(shard);
  std::string_view left = stem;
  for (const std::string_view mark : {"-of-", "-"}) {
    const size_t at = left.rfind(mark);
    if (at == left.npos || left.size() - at - mark.size() < 5) return std::nullopt;
    const std::string_view digits = left.substr(at + mark.size());
    if (digits.find_first_not_of("0123456789") != digits.npos) return std::nullopt;
    left = left.substr(0, at);
  }
  return std::string(left) + std::string(shard.substr(stem.size()));
}

std::string ShardName(std::string_view name, uint64_t number, uint64_t count) {
  const std::string_view stem = StemOf(name);
  // All numbers have the same width, so that names sort as numbers do.
  const size_t width = std::max<size_t>(5, fmt::formatted_size("{}", count));
  return fmt::format("{}-{:0{}}-of-{:0{}}{}", stem, number, width, count, width,
                     name.substr(stem.size()));
}

}  // namespace lookalike
