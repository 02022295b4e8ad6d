// States of filters: as they are, and with the checksum that they should have, so that what is
// behind it is met too.
#include <cstring>
#include <string>

#include "format/filter_file.h"
#include "laws.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lookalike::fuzz {
namespace {

std::string Resealed(std::string bytes) {
  if (bytes.size() < sizeof(uint64_t)) return bytes;
  const size_t end = bytes.size() - sizeof(uint64_t);
  const uint64_t checksum = XXH3_64bits(bytes.data(), end);
  std::memcpy(bytes.data() + end, &checksum, sizeof(checksum));
  return bytes;
}

void Check(const std::string& bytes) {
  const auto filter = DecodeFilter(bytes);
  if (!filter) return;
  std::string again;
  const FilterView view{filter->settings, filter->asked,   filter->record_bytes,
                        filter->records,  filter->id_ends, filter->ids};
  const Status written = EncodeFilter(view, [&](std::string_view part) -> Status {
    again += part;
    return {};
  });
  Require(written.has_value() && again == bytes, "a state is its bytes");
  Require(filter->records.size() == filter->record_bytes * filter->id_ends.size(),
          "each document has a record and an id");
}

}  // namespace
}  // namespace lookalike::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  lookalike::fuzz::Check(bytes);
  lookalike::fuzz::Check(lookalike::fuzz::Resealed(bytes));
  return 0;
}
