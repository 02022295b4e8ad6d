#include "stages/input/memory_lines.h"

#include <string>
#include <utility>
#include <vector>

#include "stages/input/format_readers.h"
#include "stages/input/json_record.h"
#include "stages/input/refusing_reader.h"

namespace lookalike {
namespace {

class MemoryLines final : public InputReader {
 public:
  MemoryLines(const FieldPaths& fields, const ReadLimits& limits, std::string_view bytes,
              std::span<const int64_t> offsets)
      : parser_(fields, limits.max_record),
        limit_(limits.max_record),
        lines_(std::make_shared<Storage>(bytes, offsets)) {}

  Result<bool> Next(DocumentBatch* batch) override {
    *batch = DocumentBatch{};
    if (!lines_) return false;
    const std::string_view lines = std::string_view(lines_->bytes).substr(0, lines_->size);
    for (size_t at = 0; at < lines.size();) {
      const size_t end = lines_->ends[row_] + 1;
      AddJsonLine(lines.substr(at, end - at), ++row_, limit_, &parser_, &lines_->arena, batch);
      at = end;
    }
    batch->storage = std::exchange(lines_, nullptr);
    return true;
  }

  [[nodiscard]] ReadPosition position() const override { return {0, row_}; }

 private:
  /// The lines, each with its end, and what was made from them.
  struct Storage {
    Storage(std::string_view given, std::span<const int64_t> offsets) {
      for (size_t i = 1; i < offsets.size(); ++i) {
        const auto begin = static_cast<size_t>(offsets[i - 1]);
        bytes.append(given.substr(begin, static_cast<size_t>(offsets[i]) - begin));
        ends.push_back(bytes.size());
        bytes.push_back('\n');
      }
      size = bytes.size();
      bytes.append(kReadablePadding, '\0');
    }

    std::string bytes;
    std::vector<size_t> ends;
    size_t size;
    TextArena arena;
  };

  JsonRecordParser parser_;
  uint64_t limit_;
  uint64_t row_ = 0;
  std::shared_ptr<Storage> lines_;
};

}  // namespace

std::unique_ptr<InputReader> OpenMemoryLines(const FieldPaths& fields, const ReadLimits& limits,
                                             std::string_view bytes,
                                             std::span<const int64_t> offsets) {
  auto lines = std::make_unique<MemoryLines>(fields, limits, bytes, offsets);
  if (!limits.text_refusal) return lines;
  return RefuseTexts(std::move(lines), limits.text_refusal);
}

}  // namespace lookalike
