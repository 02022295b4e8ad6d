// JSON Lines: the reader, the repair of lines that a strict parser refuses, the search for fields.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "foreign_file.h"
#include "io/utf8.h"
#include "laws.h"

namespace lookalike::fuzz {
namespace {

constexpr size_t kBlocks[] = {1, 5, 64, 1000};
constexpr size_t kLargeBlock = size_t{64} << 10;  // Most inputs fit in one.
constexpr ptrdiff_t kDeepest = 500;               // simdjson gives up at 1024.

FieldPaths Fields(std::string_view bytes) {
  const auto form = static_cast<TextForm>(Choose(bytes, 3, 3));
  const auto weights = ItemWeights(static_cast<ItemWeights::Kind>(Choose(bytes, 4, 4)));
  if (Choose(bytes, 0, 4) > 0) return {"text", "id", "n", form, weights};
  return {"a.b", "m.k.id", "m.k.n", form, weights};
}

// Compares the documents; a rejection's reason may contain the size of a line that one block holds.
void RequireSameDocuments(const testing::ReadResult& a, const testing::ReadResult& b) {
  Require(a.error.empty() == b.error.empty(), "block sizes do not make an error");
  Require(a.records.size() == b.records.size(), "block sizes do not make records");
  for (size_t i = 0; i < a.records.size(); ++i) {
    testing::Record left = a.records[i], right = b.records[i];
    if (left.reason.find("max-record") != left.reason.npos) left.reason = right.reason = "long";
    Require(left == right, "block sizes do not change records");
  }
}

void CheckRecord(const testing::Record& record, uint64_t limit) {
  if (record.rejected) {
    Require(!record.reason.empty(), "a rejection has a reason");
    Require(record.raw.size() <= limit + 2, "at most the limit is kept aside");
  } else {
    Require(IsUtf8(record.text) && IsUtf8(record.id), "text and id are UTF-8");
    Require(!record.null_text || record.text.empty(), "null has no text");
  }
  // The other parser takes a NUL as the end.
  const bool malformed = record.reason.find("malformed JSON") != record.reason.npos;
  const bool deep = std::count(record.raw.begin(), record.raw.end(), '[') +
                        std::count(record.raw.begin(), record.raw.end(), '{') >
                    kDeepest;
  if (malformed && !deep && record.raw.find('\0') == record.raw.npos) {
    Require(!nlohmann::json::accept(record.raw), "what another parser takes is not malformed");
  }
}

}  // namespace
}  // namespace lookalike::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike;
  using namespace lookalike::fuzz;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const ForeignFile file(bytes);
  ReaderSetup setup;
  const bool array = bytes.starts_with('[');
  setup.file =
      file.AsInput("a.jsonl", array ? Format::kJsonArray : Format::kJsonLines, Codec::kNone);
  setup.fields = Fields(bytes);
  setup.limits.max_record = Choose(bytes, 1, 4) > 0 ? size + 1 : 40;
  setup.block_bytes = kLargeBlock;
  const testing::ReadResult whole = testing::ReadAll(setup);
  RequireRowsAscend(whole);
  for (const testing::Record& record : whole.records) CheckRecord(record, setup.limits.max_record);
  setup.block_bytes = kBlocks[Choose(bytes, 2, std::size(kBlocks))];
  const testing::ReadResult cut = testing::ReadAll(setup);
  RequireRowsAscend(cut);
  RequireSameDocuments(whole, cut);
  RequireSameFromPositions(setup, cut);
  // The seeds are small: each is cut into up to some hundred parts, whatever the places hold.
  if (!array && cut.error.empty()) {
    const std::vector<uint64_t> places = CutPlaces(setup.file, 1 + Choose(bytes, 5, size + 1));
    RequireSameDocuments(cut, testing::ReadInParts(setup, places));
  }
  (void)ResolveFields({setup.file}, "", "", "", setup.limits, setup.fields.form);
  return 0;
}
