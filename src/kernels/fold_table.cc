#include "kernels/fold.h"

namespace lookalike {
namespace {

FoldPage::Rows RowsOf(const FoldPage& page) {
  FoldPage::Rows rows;
  for (uint32_t i = 0; i < FoldPage::kSize; ++i) {
    const FoldEntry entry = page.entries[i];
    const bool mark = entry.kind() == FoldKind::kMark && !entry.composes();
    if (!mark && entry.kind() != FoldKind::kKept) continue;
    const auto bit = static_cast<uint8_t>(1U << i % 8);
    (mark ? rows.marks : rows.kept)[i / 8] |= bit;
    if (entry.word() != WordClass::kNone) rows.word[i / 8] |= bit;
    if (entry.word() == WordClass::kAlone) rows.alone[i / 8] |= bit;
  }
  return rows;
}

}  // namespace

FoldTable::~FoldTable() {
  for (const auto& page : pages_) delete page.load(std::memory_order_acquire);
}

const FoldPage& FoldTable::Load(uint32_t page) const {
  const char32_t first = page << FoldPage::kBits;
  FoldPage* made = Make(first).release();
  made->rows = RowsOf(*made);
  const FoldPage* known = nullptr;
  if (!pages_[page].compare_exchange_strong(known, made, std::memory_order_acq_rel)) {
    delete made;  // another thread was faster
    return *known;
  }
  for (uint32_t i = 0; i < FoldPage::kSize && first + i < plain_.size(); ++i) {
    const FoldEntry entry = made->entries[i];
    if (entry.kind() != FoldKind::kKept) continue;
    plain_[first + i].store(static_cast<uint8_t>(kPlain | static_cast<uint32_t>(entry.word())),
                            std::memory_order_relaxed);
  }
  return *made;
}

}  // namespace lookalike
