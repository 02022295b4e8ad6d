#include "uses/sketches/sketch_file_writer.h"

namespace lookalike {
namespace {

/// A block is written once it has this size, compared to which its checksum and head are
/// negligible.
constexpr size_t kSketchBlockBytes = size_t{64} << 10;

}  // namespace

SketchFileWriter::SketchFileWriter(const StoredSketch& like, OutputStream* stream)
    : like_(like), stream_(*stream) {}

Status SketchFileWriter::Begin() { return stream_.Write(EncodeSketchFront(like_)); }

Status SketchFileWriter::Add(std::string_view source, std::string_view record) {
  if (block_ && (source != source_ || block_->bytes() >= kSketchBlockBytes)) {
    LOOKALIKE_RETURN_IF_ERROR(EndBlock());
  }
  if (!block_) {
    block_.emplace(source);
    source_ = source;
  }
  block_->Add(record);
  return {};
}

Status SketchFileWriter::Finish() {
  LOOKALIKE_RETURN_IF_ERROR(EndBlock());
  LOOKALIKE_RETURN_IF_ERROR(stream_.Write(EndOfSketches(documents_)));
  return stream_.Close();
}

Status SketchFileWriter::EndBlock() {
  if (!block_) return {};
  const uint64_t most = MostBlockBytes(like_);
  if (block_->bytes() > most) {
    return InputError("has a document whose id and sketch together exceed the " +
                          std::to_string(most) +
                          " bytes that a sketch file can hold for a document; use shorter ids or a "
                          "smaller sketch",
                      source_);
  }
  const uint32_t records = block_->records();
  LOOKALIKE_RETURN_IF_ERROR(stream_.Write(block_->Finish(documents_)));
  documents_ += records;
  block_.reset();
  return {};
}

}  // namespace lookalike
