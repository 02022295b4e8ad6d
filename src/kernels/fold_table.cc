#include "kernels/fold.h"

namespace lookalike {

FoldTable::~FoldTable() {
  for (const auto& page : pages_) delete page.load(std::memory_order_acquire);
}

const FoldPage& FoldTable::Load(uint32_t page) const {
  const char32_t first = page << FoldPage::kBits;
  const FoldPage* made = Make(first).release();
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
