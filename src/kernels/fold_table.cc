#include "kernels/fold.h"

namespace lookalike {

FoldTable::~FoldTable() {
  for (const auto& page : pages_) delete page.load(std::memory_order_acquire);
}

const FoldPage& FoldTable::Load(uint32_t page) const {
  const FoldPage* made = Make(page << FoldPage::kBits).release();
  const FoldPage* known = nullptr;
  if (pages_[page].compare_exchange_strong(known, made, std::memory_order_acq_rel)) return *made;
  delete made;  // another thread was faster
  return *known;
}

}  // namespace lookalike
