#include <string>
#include <utility>
#include <vector>

#include "format/sketch_file.h"
#include "stages/input/format_readers.h"
#include "stages/input/sketch_blocks.h"

namespace lookalike {
namespace {

class SketchReader final : public InputReader {
 public:
  SketchReader(SketchBlocks blocks, const ReaderSetup& setup)
      : blocks_(std::move(blocks)), source_(setup.source), block_bytes_(setup.block_bytes) {}

  Result<bool> Next(DocumentBatch* batch) override {
    *batch = DocumentBatch{};
    batch->source = source_;
    if (blocks_.at_end() && yielded_) return false;
    const auto bytes = std::make_shared<std::string>();
    std::vector<uint64_t> sizes;
    while (!blocks_.at_end() && bytes->size() < block_bytes_) {
      LOOKALIKE_ASSIGN_OR_RETURN(sizes.emplace_back(), blocks_.Append(bytes.get()));
    }
    LOOKALIKE_RETURN_IF_ERROR(AddDocuments(*bytes, sizes, batch));
    if (batch->documents.empty() && yielded_) return false;
    batch->bytes_read = blocks_.consumed();
    batch->storage = bytes;
    yielded_ = true;
    return true;
  }

  [[nodiscard]] ReadPosition position() const override { return blocks_.position(); }

 private:
  Status AddDocuments(std::string_view bytes, const std::vector<uint64_t>& sizes,
                      DocumentBatch* batch) {
    std::vector<SketchRecord> records;
    for (const uint64_t size : sizes) {
      std::string_view name;
      uint64_t row = blocks_.position().row;
      records.clear();
      LOOKALIKE_RETURN_IF_ERROR(blocks_.Decode(bytes.substr(0, size), &name, &records));
      bytes.remove_prefix(size);
      for (const SketchRecord& record : records) {
        Document document;
        document.id = record.id;
        document.has_id = true;
        document.row = ++row;
        document.sketch = record.sketch;
        document.features = record.features;
        batch->documents.push_back(std::move(document));
      }
    }
    return {};
  }

  SketchBlocks blocks_;
  uint32_t source_;
  size_t block_bytes_;
  bool yielded_ = false;
};

}  // namespace

Result<StoredSketch> ReadSketchFront(const InputFile& file, const ReadLimits& limits) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto blocks, SketchBlocks::Open(file, limits));
  return blocks.like();
}

OpenedReader OpenSketches(const ReaderSetup& setup) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto blocks, SketchBlocks::Open(setup.file, setup.limits, setup.from));
  return std::make_unique<SketchReader>(std::move(blocks), setup);
}

}  // namespace lookalike
