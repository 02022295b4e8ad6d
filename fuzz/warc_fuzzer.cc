// WARC: the scanner of records, HTTP messages, encodings; and HTML of any bytes.
#include <string>
#include <vector>

#include "foreign_file.h"
#include "laws.h"
#include "stages/normalize/html_text.h"
#include "text/encoding.h"

namespace lookalike::fuzz {
namespace {

constexpr size_t kBlocks[] = {1, 5, 64, 1000};

void CheckPage(std::string_view page, HtmlMode mode) {
  HtmlText html(mode);
  std::vector<HtmlPiece> pieces;
  const std::string text(html.Run(page, &pieces));
  Require(text == html.Run(page), "pieces do not change the text");
  // A NUL becomes U+FFFD, and each of its three bytes becomes three in the word for an address.
  const size_t most = mode == HtmlMode::kAltaVista ? 9 : 3;
  Require(text.size() <= most * page.size() + 1, "a text is at most that many times as long");
  uint32_t text_end = 0, source_end = 0;
  for (const HtmlPiece& piece : pieces) {
    Require(piece.text_begin >= text_end && piece.source_begin >= source_end, "pieces ascend");
    Require(piece.text_begin < piece.text_end && piece.source_begin < piece.source_end,
            "pieces are not empty");
    text_end = piece.text_end;
    source_end = piece.source_end;
  }
  Require(text_end <= text.size() && source_end <= page.size(), "pieces are in their texts");
}

// True if the size of blocks matters: it decides how much of an invalid or too long record is seen
// at once.
bool DependsOnBlocks(const testing::ReadResult& result) {
  for (const auto& record : result.records) {
    if (record.rejected) return true;
  }
  return !result.error.empty();
}

}  // namespace
}  // namespace lookalike::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike;
  using namespace lookalike::fuzz;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  CheckPage(bytes, HtmlMode::kVisible);
  CheckPage(bytes, HtmlMode::kAltaVista);
  std::string converted;
  (void)ToUtf8(bytes, {{}, true}, &converted);
  const ForeignFile file(bytes);
  ReaderSetup setup;
  setup.file = file.AsInput("a.warc", Format::kWarc, Codec::kNone);
  setup.fields.keep = "WARC-Date";
  setup.limits.max_record = Choose(bytes, 1, 4) > 0 ? size + 1 : 40;
  const testing::ReadResult whole = testing::ReadAll(setup);
  RequireRowsAscend(whole);
  setup.block_bytes = kBlocks[Choose(bytes, 2, std::size(kBlocks))];
  const testing::ReadResult cut = testing::ReadAll(setup);
  RequireRowsAscend(cut);
  if (!DependsOnBlocks(whole) && !DependsOnBlocks(cut)) {
    Require(whole.records == cut.records, "block sizes do not change records");
    Require(whole.pass_through == cut.pass_through, "block sizes do not change what is no record");
  }
  RequireSameFromPositions(setup, cut);
  return 0;
}
