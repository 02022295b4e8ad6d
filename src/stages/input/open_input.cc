#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "io/input_stream.h"
#include "io/open_stream.h"
#include "records/format.h"
#include "stages/input/format_readers.h"
#include "stages/input/format_table.h"
#include "stages/input/packing.h"
#include "stages/input/reader.h"
#include "stages/input/refusing_reader.h"

namespace lookalike {

std::string PlaceOf(const InputFile& file) { return file.place(); }

std::string ExtensionOf(std::string_view name) {
  name.remove_prefix(name.rfind('/') + 1);  // npos + 1 is 0.
  while (true) {
    const size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return {};
    std::string ending = LowerEnding(name);
    if (!IsCodecEnding(ending)) return ending;
    name = name.substr(0, dot);
  }
}

Result<std::unique_ptr<InputStream>> OpenPlainBytes(const InputFile& file, const ReadLimits& limits,
                                                    uint64_t offset, uint64_t until) {
  return OpenInputStream(file, limits.max_expansion,
                         {.offset = offset, .until = until, .ahead = limits.ahead});
}

size_t ByteOrderMarkLength(std::string_view bytes) {
  return bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

bool IsUtf16(std::string_view bytes) {
  return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
}

std::string TooLongReason(uint64_t size, uint64_t limit) {
  const std::string found =
      size == 0 ? std::string("the record") : fmt::format("the record of {} bytes", size);
  return fmt::format(
      "{} is longer than the limit of {} bytes ($<max-record>, or what $<memory> has room for); "
      "only its first {} bytes are set aside",
      found, limit, limit);
}

std::string TooLongAsUtf8(uint64_t size, uint64_t limit) {
  return fmt::format(
      "its text is {} bytes of UTF-8, more than the limit of {} ($<max-record>, or what $<memory> "
      "has "
      "room for)",
      size, limit);
}

OpenedReader OpenReader(const ReaderSetup& setup) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto reader, ReaderOf(setup.file.format).open(setup));
  if (!setup.limits.text_refusal) return reader;
  return RefuseTexts(std::move(reader), setup.limits.text_refusal);
}

Result<std::unique_ptr<InputReader>> OpenInput(const InputFile& file, uint32_t source,
                                               const FieldPaths& fields, const ReadLimits& limits,
                                               ReadColumns columns, const ReadPart& part) {
  return OpenReader({file, source, fields, limits, columns, kBlockBytes, part.from, part.wanted,
                     part.until, part.at_cut, part.blocks});
}

std::vector<uint64_t> CutPlaces(const InputFile& file, uint64_t bytes) {
  if (file.table || file.codec != Codec::kNone || file.size < 2 * bytes) return {};
  if (file.format == Format::kParquet) return CutPlacesOfParquet(file, bytes);
  std::vector<uint64_t> places;
  if (file.format != Format::kJsonLines) return places;
  for (uint64_t place = bytes; place + bytes <= file.size; place += bytes) places.push_back(place);
  return places;
}

}  // namespace lookalike
