// A store whose keys are known in memory, so that most that are not there are not searched for.
#ifndef LOOKALIKE_INDEX_KNOWN_VIEW_H_
#define LOOKALIKE_INDEX_KNOWN_VIEW_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/known_keys.h"
#include "index/store.h"

namespace lookalike {

/// Adds all keys of a view to the known ones.
Status LearnKeys(const StoreView& view, KnownKeys* known);

/// A view that asks the known keys first. Equal to the view behind it, if all keys of that one are
/// known.
class KnownView final : public StoreView {
 public:
  /// Both outlive the view.
  KnownView(const StoreView& base, const KnownKeys& known) : base_(base), known_(known) {}

  [[nodiscard]] Result<std::optional<std::string>> Get(Family family,
                                                       std::string_view key) const override;
  [[nodiscard]] Result<std::vector<std::optional<std::string>>> GetMany(
      Family family, std::span<const std::string> keys) const override;
  [[nodiscard]] std::unique_ptr<StoreCursor> Scan(Family family, bool whole) const override;

 private:
  const StoreView& base_;
  const KnownKeys& known_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_KNOWN_VIEW_H_
