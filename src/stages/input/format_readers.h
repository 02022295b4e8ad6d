// The readers used by OpenInput, and the per-format parts of ResolveFields. Inside this stage only.
#ifndef LOOKALIKE_STAGES_INPUT_FORMAT_READERS_H_
#define LOOKALIKE_STAGES_INPUT_FORMAT_READERS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"
#include "records/input_file.h"
#include "stages/input/block_buffer.h"
#include "stages/input/reader.h"

namespace lookalike {

/// The parameters of one reader. `block_bytes` is smaller in tests only.
struct ReaderSetup {
  InputFile file;
  uint32_t source = 0;
  FieldPaths fields;
  ReadLimits limits;
  ReadColumns columns = ReadColumns::kFields;
  size_t block_bytes = kBlockBytes;
  ReadPosition from = {};
  WantedRecords wanted = {};
  uint64_t until = UINT64_MAX;  ///< As in ReadPart; only formats with CutPlaces() obey it.
  bool at_cut = false;
  std::optional<BlockPool> blocks = {};  ///< As in ReadPart.

  /// Returns the memory for blocks: what was given, or new.
  [[nodiscard]] BlockPool Blocks() const {
    return blocks && block_bytes == kBlockBytes ? *blocks
                                                : BlockPool(block_bytes + kReadablePadding);
  }
};

using OpenedReader = Result<std::unique_ptr<InputReader>>;
OpenedReader OpenJsonLines(const ReaderSetup& setup);
OpenedReader OpenCsv(const ReaderSetup& setup);
OpenedReader OpenColumnar(const ReaderSetup& setup);
OpenedReader OpenText(const ReaderSetup& setup);
OpenedReader OpenSketches(const ReaderSetup& setup);
OpenedReader OpenFeatures(const ReaderSetup& setup);
OpenedReader OpenWarc(const ReaderSetup& setup);

/// Opens the reader for the input's format; it rejects the texts that the limits refuse.
OpenedReader OpenReader(const ReaderSetup& setup);

/// One field of an input's first records.
struct FrontField {
  std::string name;  ///< For a nested field, its path: "doc.body".
  bool holds_strings = false;
  bool holds_lists = false;
  bool nested = false;
  std::string type = {};  ///< For messages; empty if the format has no types.
};

/// Merges an observation of a field into what is known of it: a field is often null in some
/// records, and may not have the same type in all.
void AddField(const FrontField& seen, std::vector<FrontField>* fields);

/// The content of the first records of an input.
struct Front {
  std::vector<FrontField> fields;  ///< In order of appearance.
  std::vector<bool> has_path;      ///< For each path asked about: true if some record has it.
  bool has_records = false;
};

Result<Front> FrontOfJsonLines(const InputFile& file, const ReadLimits& limits,
                               std::span<const std::string> paths);
Result<Front> FrontOfCsv(const InputFile& file, const ReadLimits& limits,
                         std::span<const std::string> paths);
Result<Front> FrontOfColumnar(const InputFile& file, const ReadLimits& limits,
                              std::span<const std::string> paths);

/// Returns the name of an input in errors: its path, or `stdin` for the spooled standard input.
std::string PlaceOf(const InputFile& file);

/// Returns the name's extension in lower case without its dot, after removing a codec's extension
/// (".gz").
std::string ExtensionOf(std::string_view name);

/// Opens the file's plain bytes from `offset` on, to be read up to about `until`.
Result<std::unique_ptr<InputStream>> OpenPlainBytes(const InputFile& file, const ReadLimits& limits,
                                                    uint64_t offset = 0,
                                                    uint64_t until = UINT64_MAX);

/// Returns the length of a UTF-8 byte order mark at the front of `bytes`: 3 or 0.
size_t ByteOrderMarkLength(std::string_view bytes);

/// True if `bytes` begins with a UTF-16 byte order mark.
bool IsUtf16(std::string_view bytes);

/// Returns why a record of more than `limit` bytes is refused. `size` 0: not known.
std::string TooLongReason(uint64_t size, uint64_t limit);

/// Returns why a text is refused that exceeds the limit once converted to UTF-8.
std::string TooLongAsUtf8(uint64_t size, uint64_t limit);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_FORMAT_READERS_H_
