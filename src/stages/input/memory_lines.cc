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
        offsets_(offsets.begin(), offsets.end()),
        lines_(std::make_shared<Storage>(LinesIn(bytes, offsets))) {}

  Result<bool> Next(DocumentBatch* batch) override {
    *batch = DocumentBatch{};
    if (!lines_) return false;
    const std::string_view bytes = lines_->bytes;
    for (size_t i = 0; i + 1 < offsets_.size(); ++i) {
      const auto begin = static_cast<size_t>(offsets_[i] - offsets_.front());
      const auto size = static_cast<size_t>(offsets_[i + 1] - offsets_[i]);
      AddJsonLine(bytes.substr(begin, size), ++row_, limit_, &parser_, &lines_->arena, batch);
    }
    batch->storage = std::exchange(lines_, nullptr);
    return true;
  }

  [[nodiscard]] ReadPosition position() const override { return {0, row_}; }

 private:
  /// The lines, and what was made from them.
  struct Storage {
    explicit Storage(std::string_view lines) {
      bytes.reserve(lines.size() + kReadablePadding);
      bytes.append(lines).append(kReadablePadding, '\0');
    }

    std::string bytes;
    TextArena arena;
  };

  /// Returns the bytes of all lines.
  static std::string_view LinesIn(std::string_view bytes, std::span<const int64_t> offsets) {
    const auto begin = static_cast<size_t>(offsets.front());
    return bytes.substr(begin, static_cast<size_t>(offsets.back()) - begin);
  }

  JsonRecordParser parser_;
  uint64_t limit_;
  std::vector<int64_t> offsets_;
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
