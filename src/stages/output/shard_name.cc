#include "stages/output/shard_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "records/format.h"

namespace lookalike {
namespace {

bool IsCodecEnding(std::string_view extension) {
  return std::find(kCodecEndings.begin(), kCodecEndings.end(), extension) != kCodecEndings.end();
}

bool IsFormatEnding(std::string_view extension) {
  return std::any_of(kFormats.begin(), kFormats.end(), [&](const FormatTraits& format) {
    return std::find(format.endings.begin(), format.endings.end(), extension) !=
           format.endings.end();
  });
}

/// Returns the name without its last extension, if `is_known` says so of that in lower case.
template <class IsKnown>
std::string_view WithoutExtension(std::string_view name, const IsKnown& is_known) {
  const size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0 || name[dot - 1] == '/') return name;
  std::string extension(name.substr(dot + 1));
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return !extension.empty() && is_known(extension) ? name.substr(0, dot) : name;
}

}  // namespace

std::string ShardName(std::string_view name, uint64_t number, uint64_t count) {
  const std::string_view stem =
      WithoutExtension(WithoutExtension(name, IsCodecEnding), IsFormatEnding);
  return fmt::format("{}-{:05}-of-{:05}{}", stem, number, count, name.substr(stem.size()));
}

}  // namespace lookalike
