// Parquet and Arrow IPC, distinguished by their first bytes.
#include "foreign_file.h"
#include "laws.h"

namespace lookalike::fuzz {
namespace {

Format FormatOf(std::string_view bytes) {
  if (bytes.starts_with("PAR1")) return Format::kParquet;
  if (bytes.starts_with("ARROW1")) return Format::kArrowFile;
  return Format::kArrowStream;
}

}  // namespace
}  // namespace lookalike::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike;
  using namespace lookalike::fuzz;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const ForeignFile file(bytes);
  ReaderSetup setup;
  setup.file = file.AsInput("a.columnar", FormatOf(bytes), Codec::kNone);
  setup.fields.keep = "n";
  setup.fields.form = static_cast<TextForm>(Choose(bytes, 2, 3));
  setup.limits.max_record = Choose(bytes, 0, 2) ? 8 : 1 << 20;
  setup.columns = Choose(bytes, 1, 2) ? ReadColumns::kAll : ReadColumns::kFields;
  const testing::ReadResult whole = testing::ReadAll(setup);
  RequireRowsAscend(whole);
  if (whole.error.empty()) {
    RequireSameFromPositions(setup, whole);
    RequireSameInParts(setup, CutPlaces(setup.file, 1 + Choose(bytes, 3, size / 4 + 1)), whole);
  }
  (void)ResolveFields({setup.file}, "", "", "", setup.limits, setup.fields.form);
  return 0;
}
