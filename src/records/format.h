// The formats of inputs and kept rows: one row of a table each.
#ifndef LOOKALIKE_RECORDS_FORMAT_H_
#define LOOKALIKE_RECORDS_FORMAT_H_

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lookalike {

enum class Format : uint8_t {
  kJsonLines,
  kJsonArray,  ///< One array of objects.
  kCsv,
  kParquet,
  kArrowFile,
  kArrowStream,
  kText,
  kHtml,      ///< A file that is one page.
  kWarc,      ///< Records of a web archive, WET files among them.
  kSketches,  ///< A sketch file, which has documents but no texts.
  kFeatures,  ///< Documents that come as their features, from an index.
};

/// The way in which a file holds its records.
enum class Layout : uint8_t {
  kRows,     ///< One after the other, as text.
  kTable,    ///< In columns, read with Arrow.
  kWhole,    ///< The file is one record.
  kArchive,  ///< One after the other, each with headers and a body.
  kNoRows,   ///< Documents without rows that could be kept.
};

struct FormatTraits {
  Format format;
  Layout layout;
  /// Endings of file names, in lower case, without the endings of codecs.
  std::array<std::string_view, 3> endings;
};

/// By number of the format.
inline constexpr std::array<FormatTraits, 11> kFormats = {{
    {Format::kJsonLines, Layout::kRows, {"jsonl", "ndjson", "json"}},
    {Format::kJsonArray, Layout::kRows, {}},
    {Format::kCsv, Layout::kRows, {"csv", "tsv"}},
    {Format::kParquet, Layout::kTable, {"parquet", "pq"}},
    {Format::kArrowFile, Layout::kTable, {"arrow", "feather", "ipc"}},
    {Format::kArrowStream, Layout::kTable, {"arrows"}},
    {Format::kText, Layout::kWhole, {"txt", "text", "md"}},
    {Format::kHtml, Layout::kWhole, {"html", "htm", "xhtml"}},
    {Format::kWarc, Layout::kArchive, {"warc", "wet"}},
    {Format::kSketches, Layout::kNoRows, {}},
    {Format::kFeatures, Layout::kNoRows, {}},
}};

/// Endings of compressed files, in lower case.
inline constexpr std::array<std::string_view, 6> kCodecEndings = {"gz",  "zst",   "zstd",
                                                                  "bz2", "bzip2", "lz4"};

constexpr Layout LayoutOf(Format format) { return kFormats[static_cast<size_t>(format)].layout; }

/// Returns the format that names with this ending have, if there is one. `ending`: in lower case,
/// without its dot; not empty.
constexpr std::optional<Format> FormatOfEnding(std::string_view ending) {
  for (const FormatTraits& traits : kFormats) {
    if (std::ranges::find(traits.endings, ending) != traits.endings.end()) return traits.format;
  }
  return std::nullopt;
}

/// True if names of compressed files have this ending. `ending`: as for FormatOfEnding().
constexpr bool IsCodecEnding(std::string_view ending) {
  return std::ranges::find(kCodecEndings, ending) != kCodecEndings.end();
}

/// Returns what follows the last dot of a name, in lower case; all of the name if it has no dot.
inline std::string LowerEnding(std::string_view name) {
  std::string ending(name.substr(name.rfind('.') + 1));  // npos + 1 is 0
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_FORMAT_H_
