#include "io/output_stream.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>

#include <algorithm>
#include <utility>

#include "io/arrow_compression.h"
#include "io/block_codec.h"
#include "io/block_compressor.h"

namespace lookalike {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 20;

uint8_t* Bytes(std::string& text) { return reinterpret_cast<uint8_t*>(text.data()); }

}  // namespace

struct OutputStream::Compression {
  std::unique_ptr<arrow::util::Codec> codec;
  std::shared_ptr<arrow::util::Compressor> compressor;
  std::string out = std::string(kBufferBytes, '\0');

  /// Doubles the output: some codecs make no progress until it has room for a whole block.
  void Grow() { out.resize(out.size() * 2); }
};

OutputStream::OutputStream(std::unique_ptr<OutputFile> file,
                           std::unique_ptr<Compression> compression,
                           std::unique_ptr<BlockCodec> blocks, std::string path)
    : file_(std::move(file)), compression_(std::move(compression)), path_(std::move(path)) {
  if (blocks == nullptr) {
    buffer_.reserve(kBufferBytes);
    return;
  }
  const auto write = [this](std::string_view bytes) { return AppendAll(bytes); };
  blocks_ = std::make_unique<BlockCompressor>(std::move(blocks), write, path_);
}

OutputStream::~OutputStream() = default;

Codec CodecOfName(std::string_view path) {
  constexpr std::pair<std::string_view, Codec> kEndings[] = {{".gz", Codec::kGzip},
                                                             {".zst", Codec::kZstd},
                                                             {".bz2", Codec::kBzip2},
                                                             {".lz4", Codec::kLz4}};
  for (const auto& [ending, codec] : kEndings) {
    if (path.ends_with(ending)) return codec;
  }
  return Codec::kNone;
}

Result<std::unique_ptr<OutputStream>> OutputStream::Create(const std::string& path, Codec codec,
                                                           FileSystem& files) {
  std::unique_ptr<Compression> compression;
  auto blocks = MakeBlockCodec(codec);
  if (codec != Codec::kNone && blocks == nullptr) {
    compression = std::make_unique<Compression>();
    auto made = arrow::util::Codec::Create(ArrowCompression(codec), UsualLevel(codec));
    if (!made.ok()) return FailCompression(path);
    compression->codec = std::move(*made);
    auto compressor = compression->codec->MakeCompressor();
    if (!compressor.ok()) return FailCompression(path);
    compression->compressor = std::move(*compressor);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(std::unique_ptr<OutputFile> file, files.Create(path));
  return std::unique_ptr<OutputStream>(
      new OutputStream(std::move(file), std::move(compression), std::move(blocks), path));
}

Status OutputStream::Remember(Status status) {
  if (!status && !failure_) failure_ = status.error();
  return status;
}

Status OutputStream::Write(std::string_view bytes) {
  if (failure_) return tl::make_unexpected(*failure_);
  plain_bytes_ += bytes.size();
  if (blocks_) return Remember(blocks_->Append(bytes));
  // Blocks end at multiples of the buffer, so that the file does not depend on how it was cut.
  while (!bytes.empty()) {
    std::string_view part = bytes.substr(0, kBufferBytes - buffer_.size());
    bytes.remove_prefix(part.size());
    if (buffer_.empty() && part.size() == kBufferBytes) {
      LOOKALIKE_RETURN_IF_ERROR(Remember(Consume(part)));
      continue;
    }
    buffer_.append(part);
    if (buffer_.size() < kBufferBytes) break;
    LOOKALIKE_RETURN_IF_ERROR(Remember(Consume(buffer_)));
    buffer_.clear();
  }
  return {};
}

Status OutputStream::Consume(std::string_view bytes) {
  return compression_ ? Compress(bytes) : AppendAll(bytes);
}

Status OutputStream::Compress(std::string_view bytes) {
  Compression& state = *compression_;
  while (!bytes.empty()) {
    auto step = state.compressor->Compress(
        static_cast<int64_t>(bytes.size()), reinterpret_cast<const uint8_t*>(bytes.data()),
        static_cast<int64_t>(state.out.size()), Bytes(state.out));
    if (!step.ok()) return FailCompression(path_);
    if (step->bytes_read == 0 && step->bytes_written == 0) state.Grow();
    bytes.remove_prefix(static_cast<size_t>(step->bytes_read));
    LOOKALIKE_RETURN_IF_ERROR(
        AppendAll(std::string_view(state.out).substr(0, static_cast<size_t>(step->bytes_written))));
  }
  return {};
}

Status OutputStream::EndCompression() {
  Compression& state = *compression_;
  while (true) {
    auto step = state.compressor->End(static_cast<int64_t>(state.out.size()), Bytes(state.out));
    if (!step.ok()) return FailCompression(path_);
    LOOKALIKE_RETURN_IF_ERROR(
        AppendAll(std::string_view(state.out).substr(0, static_cast<size_t>(step->bytes_written))));
    if (!step->should_retry) return {};
    if (step->bytes_written == 0) state.Grow();
  }
}

Status OutputStream::AppendAll(std::string_view bytes) {
  return lookalike::AppendAll(*file_, bytes);
}

Status OutputStream::Finish() {
  if (blocks_) LOOKALIKE_RETURN_IF_ERROR(blocks_->Finish());
  if (!buffer_.empty()) LOOKALIKE_RETURN_IF_ERROR(Consume(buffer_));
  if (compression_) LOOKALIKE_RETURN_IF_ERROR(EndCompression());
  return file_->Close();
}

Status OutputStream::Close() {
  if (failure_) return tl::make_unexpected(*failure_);
  if (std::exchange(closed_, true)) return {};
  return Remember(Finish());
}

}  // namespace lookalike
