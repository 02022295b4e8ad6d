// The file of a run that an earlier attempt left.
#include <algorithm>

#include "foreign_file.h"
#include "laws.h"
#include "spill/run_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike;
  const fuzz::ForeignFile foreign(std::string_view(reinterpret_cast<const char*>(data), size));
  const auto file = RealFileSystem().OpenRead(foreign.path());
  fuzz::Require(file.has_value(), "the file opens");
  const auto table = ReadRunTable(**file);
  if (!table) return 0;
  for (const RunTable::Stream& stream : table->streams) {
    uint64_t left = stream.bytes;
    for (const uint64_t begin : stream.chunks) {
      const uint64_t bytes = std::min<uint64_t>(left, table->chunk_bytes);
      fuzz::Require(begin <= size && bytes <= size - begin, "chunks lie in the file");
      left -= bytes;
    }
    fuzz::Require(left == 0, "chunks hold the stream");
  }
  return 0;
}
