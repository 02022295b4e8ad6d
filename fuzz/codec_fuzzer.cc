// Compressed streams: any bytes through each decoder, and any bytes compressed and decompressed.
#include <algorithm>
#include <vector>

#include "foreign_file.h"
#include "io/open_stream.h"
#include "io/output_stream.h"
#include "laws.h"

namespace lookalike::fuzz {
namespace {

constexpr Codec kCodecs[] = {Codec::kGzip, Codec::kZstd, Codec::kBzip2, Codec::kLz4};
constexpr size_t kPieces[] = {1, 13, 500, 7000};
constexpr size_t kLargePiece = size_t{64} << 10;
constexpr size_t kMostBytes = size_t{1} << 20;  // Plain bytes; small inputs may grow a lot.
constexpr double kMaxExpansion = 1000;

struct Outcome {
  std::string plain;
  bool failed = false;
  bool whole = false;  // The stream ended before kMostBytes.
};

Outcome ReadIn(const std::string& path, Codec codec, size_t piece, uint64_t offset) {
  Outcome outcome;
  const auto stream = OpenInputStream(FileAt(path, codec), kMaxExpansion, {.offset = offset});
  outcome.failed = !stream;
  std::vector<char> buffer(piece);
  while (!outcome.failed && !outcome.whole && outcome.plain.size() < kMostBytes) {
    const Result<size_t> got = (*stream)->Read(buffer.data(), piece);
    outcome.failed = !got;
    if (!got) break;
    Require(*got <= piece, "a read stays in its buffer");
    outcome.plain.append(buffer.data(), *got);
    outcome.whole = *got < piece;
  }
  return outcome;
}

void CheckReading(const std::string& path, Codec codec, std::string_view bytes) {
  const Outcome large = ReadIn(path, codec, kLargePiece, 0);
  const size_t piece = kPieces[Choose(bytes, 1, std::size(kPieces))];
  if (!large.whole || (piece == 1 && large.plain.size() > 10'000)) return;
  const Outcome small = ReadIn(path, codec, piece, 0);
  Require(small.whole && small.plain == large.plain, "the size of reads does not change bytes");
  const uint64_t offset = Choose(bytes, 2, large.plain.size() + 1);
  const Outcome rest = ReadIn(path, codec, kLargePiece, offset);
  Require(rest.whole && rest.plain == large.plain.substr(offset), "a stream opens anywhere");
  Require(ReadIn(path, codec, 1, large.plain.size() + 1).failed, "no stream opens behind its end");
}

void CheckThereAndBack(Codec codec, std::string_view bytes) {
  const ForeignFile file({});
  auto out = OutputStream::Create(file.path(), codec);
  Require(out && (*out)->Write(bytes) && (*out)->Close(), "a stream can be written");
  const Outcome back = ReadIn(file.path(), codec, bytes.size() + 1, 0);
  Require(back.whole && back.plain == bytes, "what was written is read");
  if (!bytes.empty()) Require(DetectCodec(file.path()).value() == codec, "a codec is told");
}

}  // namespace
}  // namespace lookalike::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike;
  using namespace lookalike::fuzz;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const ForeignFile file(bytes);
  const Codec found = DetectCodec(file.path()).value();
  const Codec other = kCodecs[Choose(bytes, 0, std::size(kCodecs))];
  CheckReading(file.path(), found, bytes);
  CheckReading(file.path(), other, bytes);
  if (size < kMostBytes) CheckThereAndBack(other, bytes);
  return 0;
}
