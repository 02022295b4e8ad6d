// States of filters: as they are, and with a correct checksum, so that the code after its check is
// reached too.
#include <string>

#include "format/filter_file.h"
#include "laws.h"
#include "seal.h"

namespace lookalike::fuzz {
namespace {

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
  lookalike::fuzz::Check(lookalike::fuzz::Sealed(bytes));
  return 0;
}
