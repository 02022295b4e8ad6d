// The readers behind OpenInput and what ResolveFields asks of each format. Inside this stage only.
#ifndef LOOKALIKE_STAGES_INPUT_FORMAT_READERS_H_
#define LOOKALIKE_STAGES_INPUT_FORMAT_READERS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flow/input_file.h"
#include "lookalike/status.h"
#include "stages/input/block_buffer.h"
#include "stages/input/reader.h"

namespace lookalike {

/// What one reader is made of. `block_bytes` is smaller in tests only.
struct ReaderSetup {
  InputFile file;
  uint32_t source = 0;
  FieldPaths fields;
  ReadLimits limits;
  ReadColumns columns = ReadColumns::kFields;
  size_t block_bytes = kBlockBytes;
  ReadPosition from = {};
  WantedRecords wanted = {};
};

using OpenedReader = Result<std::unique_ptr<InputReader>>;
OpenedReader OpenJsonLines(const ReaderSetup& setup);
OpenedReader OpenCsv(const ReaderSetup& setup);
OpenedReader OpenColumnar(const ReaderSetup& setup);
OpenedReader OpenText(const ReaderSetup& setup);
OpenedReader OpenSketches(const ReaderSetup& setup);
OpenedReader OpenWarc(const ReaderSetup& setup);

/// The reader that the input's format asks for, and the limits' refusal of texts.
OpenedReader OpenReader(const ReaderSetup& setup);

/// One field of an input's first records.
struct FrontField {
  std::string name;  ///< Of a nested one its path: "doc.body".
  bool holds_strings = false;
  bool holds_lists = false;
  bool nested = false;
  std::string type = {};  ///< For people; empty where the format has no types.
};

/// Adds what was seen of a field to what is known of it: a field is often null in some records, and
/// not of one type in all.
void AddField(const FrontField& seen, std::vector<FrontField>* fields);

/// What the first records of an input show.
struct Front {
  std::vector<FrontField> fields;  ///< In order of appearance.
  std::vector<bool> has_path;      ///< For each path asked about: does some record have it?
  bool has_records = false;
};

Result<Front> FrontOfJsonLines(const InputFile& file, const ReadLimits& limits,
                               std::span<const std::string> paths);
Result<Front> FrontOfCsv(const InputFile& file, const ReadLimits& limits,
                         std::span<const std::string> paths);
Result<Front> FrontOfColumnar(const InputFile& file, std::span<const std::string> paths);

/// How errors name an input: its path, or `stdin` for the spooled standard input.
std::string PlaceOf(const InputFile& file);

/// The name's extension in lower case without its dot; a codec's (".gz") is looked through.
std::string ExtensionOf(std::string_view name);

/// The file's plain bytes from `offset` on.
Result<std::unique_ptr<InputStream>> OpenPlainBytes(const InputFile& file, const ReadLimits& limits,
                                                    uint64_t offset = 0);

/// Length of a UTF-8 byte order mark at the front of `bytes`: 3 or 0.
size_t ByteOrderMarkLength(std::string_view bytes);

/// Whether `bytes` begins with a UTF-16 byte order mark.
bool IsUtf16(std::string_view bytes);

/// Why a record of more than `limit` bytes is refused. `size` 0: not known.
std::string TooLongReason(uint64_t size, uint64_t limit);

/// Why a text is refused that became longer than a record may be.
std::string TooLongAsUtf8(uint64_t size, uint64_t limit);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_FORMAT_READERS_H_
