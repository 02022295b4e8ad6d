#include "stages/input/format_table.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "format/feature_file.h"
#include "format/sketch_file.h"
#include "stages/input/warc_record.h"

namespace lookalike {
namespace {

// An Arrow stream begins with a continuation marker and the length of the schema's metadata, a
// little-endian 32-bit number. The marker alone does not prove it: any file may begin with it.
bool BeginsArrowStream(std::string_view front) {
  constexpr uint32_t kMostMetadata = uint32_t{64} << 20;
  if (!front.starts_with("\xFF\xFF\xFF\xFF") || front.size() < 8) return false;
  uint32_t length = 0;
  for (size_t i = 8; i-- > 4;) length = length << 8 | static_cast<uint8_t>(front[i]);
  return length > 0 && length < kMostMetadata;
}

bool BeginsParquet(std::string_view front) { return front.starts_with("PAR1"); }
bool BeginsArrowFile(std::string_view front) { return front.starts_with("ARROW1"); }
bool BeginsSketches(std::string_view front) { return front.starts_with(kSketchFileMagic); }
bool BeginsFeatures(std::string_view front) { return front.starts_with(kFeatureFileMagic); }
bool BeginsWarc(std::string_view front) { return front.starts_with(kWarcMagic); }

constexpr FormatReader kReaders[] = {
    {Format::kParquet, OpenColumnar, FrontOfColumnar, BeginsParquet},
    {Format::kArrowFile, OpenColumnar, FrontOfColumnar, BeginsArrowFile},
    {Format::kArrowStream, OpenColumnar, FrontOfColumnar, BeginsArrowStream},
    {Format::kSketches, OpenSketches, nullptr, BeginsSketches},
    {Format::kFeatures, OpenFeatures, nullptr, BeginsFeatures},
    {Format::kWarc, OpenWarc, nullptr, BeginsWarc},
    {Format::kJsonLines, OpenJsonLines, FrontOfJsonLines},
    {Format::kJsonArray, OpenJsonLines, FrontOfJsonLines},
    {Format::kCsv, OpenCsv, FrontOfCsv},
    {Format::kText, OpenText},
    {Format::kHtml, OpenText},
};
static_assert(std::size(kReaders) == kFormats.size(), "each format has one reader");

}  // namespace

std::span<const FormatReader> FormatReaders() { return kReaders; }

const FormatReader& ReaderOf(Format format) {
  return *std::find_if(std::begin(kReaders), std::end(kReaders),
                       [&](const FormatReader& reader) { return reader.format == format; });
}

}  // namespace lookalike
