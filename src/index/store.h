// An ordered store of keys and values in families, with atomic and durable batches. RocksDB is
// behind it, in a library of its own, which is loaded when the first store is opened.
#ifndef LOOKALIKE_INDEX_STORE_H_
#define LOOKALIKE_INDEX_STORE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// A set of keys that is ordered and tuned by itself (encoding.h says what each holds).
enum class Family : uint8_t {
  kMeta,
  kDocuments,
  kIds,
  kPostings,
  kClasses,
  kSets,
  kTexts,
  kEdges,
  kClusters,
  kChanges
};
inline constexpr size_t kFamilyCount = 10;

/// The first bytes of the keys of kPostings that a search knows.
inline constexpr size_t kPostingPrefix = 6;

/// Changes that are stored together. A later one of the same key counts.
class StoreBatch {
 public:
  /// By key; none: the key is removed.
  using Changes = std::map<std::string, std::optional<std::string>, std::less<>>;

  void Put(Family family, std::string key, std::string value) {
    changes_[static_cast<size_t>(family)].insert_or_assign(std::move(key), std::move(value));
  }
  void Remove(Family family, std::string key) {
    changes_[static_cast<size_t>(family)].insert_or_assign(std::move(key), std::nullopt);
  }
  [[nodiscard]] const Changes& Of(Family family) const {
    return changes_[static_cast<size_t>(family)];
  }

 private:
  std::array<Changes, kFamilyCount> changes_;
};

/// A place among the keys of a family.
class StoreCursor {
 public:
  virtual ~StoreCursor() = default;

  /// Goes to the first key with this prefix. For kPostings a prefix is empty, or has at least
  /// kPostingPrefix bytes.
  virtual void Seek(std::string_view prefix) = 0;
  /// False behind the last key with the prefix, and after an error.
  [[nodiscard]] virtual bool Valid() const = 0;
  virtual void Next() = 0;
  [[nodiscard]] virtual std::string_view Key() const = 0;
  [[nodiscard]] virtual std::string_view Value() const = 0;
  [[nodiscard]] virtual Status status() const = 0;
};

/// The state of a store at one moment.
class StoreView {
 public:
  virtual ~StoreView() = default;

  [[nodiscard]] virtual Result<std::optional<std::string>> Get(Family family,
                                                               std::string_view key) const = 0;
  /// Returns the values of many keys.
  [[nodiscard]] virtual Result<std::vector<std::optional<std::string>>> GetMany(
      Family family, std::span<const std::string> keys) const = 0;
  /// `whole`: all keys are passed by once, so that they need not stay in memory.
  [[nodiscard]] virtual std::unique_ptr<StoreCursor> Scan(Family family, bool whole) const = 0;
};

class Store {
 public:
  virtual ~Store() = default;

  [[nodiscard]] virtual std::unique_ptr<StoreView> View() const = 0;
  /// Durable when it returns.
  virtual Status Write(const StoreBatch& batch) = 0;
  /// Rewrites every file without what was removed.
  virtual Status Compact() = 0;
  /// Makes a copy in a folder that does not exist.
  virtual Status Copy(const std::string& folder) const = 0;
  /// Compares every file with the checksum that was noted when it was written.
  virtual Status CheckFiles() const = 0;
};

enum class StoreMode : uint8_t { kCreate, kRead, kWrite };

/// Opens the store in a folder. Returns an Error of code kUsage if another process writes to it.
Result<std::unique_ptr<Store>> OpenStore(const std::string& folder, StoreMode mode);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_STORE_H_
