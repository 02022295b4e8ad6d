// Changes to the keys of a family, in the order of the keys.
#ifndef LOOKALIKE_INDEX_CHANGES_H_
#define LOOKALIKE_INDEX_CHANGES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace lookalike {

/// A change of one key. The bytes lie in the changes.
struct Change {
  std::string_view key;
  std::optional<std::string_view> value;  ///< None: the key is removed.
};

/// A map of keys to their last change, by which a batch grows and is looked up at the same time. A
/// tree of two levels, whose lower one has blocks of keys; what was changed since the last look is
/// only appended, and sorted into it at the next. At hundreds of thousands of keys, as a load has
/// them, it takes a fifth of the time of std::map. Not to be read by several threads at a time.
class Changes {
 public:
  /// A place among the changes. Valid until the next Put or Remove.
  class Place {
   public:
    [[nodiscard]] Change operator*() const;
    Place& operator++();
    bool operator==(const Place&) const = default;

   private:
    friend class Changes;
    Place(const Changes* changes, size_t leaf, size_t entry)
        : changes_(changes), leaf_(leaf), entry_(entry) {}

    const Changes* changes_;
    size_t leaf_, entry_;
  };

  void Put(std::string_view key, std::string_view value);
  void Remove(std::string_view key);

  /// Returns the change of a key, if there is one.
  [[nodiscard]] std::optional<Change> Find(std::string_view key) const;
  /// Returns the place of the first key that is not less than this one.
  [[nodiscard]] Place LowerBound(std::string_view key) const;

  [[nodiscard]] Place begin() const {
    Settle();
    return {this, 0, 0};
  }
  [[nodiscard]] Place end() const {
    Settle();
    return {this, leaves_.size(), 0};
  }
  [[nodiscard]] bool empty() const { return begin() == end(); }
  [[nodiscard]] size_t size() const {
    Settle();
    return size_;
  }
  /// Returns how many bytes keys and values have, those of replaced values too.
  [[nodiscard]] size_t bytes() const { return arena_.bytes(); }
  /// Forgets all changes, and keeps memory for the next ones.
  void Clear();

 private:
  struct Entry {
    const char* key = nullptr;
    const char* value = nullptr;  // null: the key is removed
    uint32_t key_size = 0, value_size = 0;

    [[nodiscard]] std::string_view Key() const { return {key, key_size}; }
  };
  /// Entries in the order of their keys. `heads`: the first bytes of each key, as a number, which
  /// decide most comparisons.
  struct Run {
    std::vector<uint64_t> heads;
    std::vector<Entry> entries;

    [[nodiscard]] size_t size() const { return heads.size(); }
    void Insert(size_t at, uint64_t head, const Entry& entry);
    /// Moves what is from `at` on to the end of an empty run.
    void MoveEnd(size_t at, Run* to);
    /// Returns how many keys are less than `key`; `or_equal`: or equal to it. `head`: its first
    /// bytes as a number.
    [[nodiscard]] size_t CountLess(uint64_t head, std::string_view key, bool or_equal) const;
  };

  /// Memory for bytes, which is given back as a whole.
  class Arena {
   public:
    const char* Copy(std::string_view bytes);
    void Clear();
    [[nodiscard]] size_t bytes() const { return bytes_; }

   private:
    struct Block {
      std::unique_ptr<char[]> memory;
      size_t size = 0;
    };
    void OpenBlock(size_t least);

    std::vector<Block> blocks_, unused_;
    char* free_ = nullptr;
    size_t room_ = 0, bytes_ = 0;
  };

  /// An entry that is not in the tree yet, and its place in the order of changes.
  struct Pending {
    uint64_t head = 0;
    Entry entry;
    uint64_t order = 0;
  };

  Run NewLeaf();
  /// Returns the leaf in which a key is, or would be. REQUIRES: there is one.
  [[nodiscard]] size_t LeafOf(uint64_t head, std::string_view key) const;
  /// Sorts what was appended into the tree.
  void Settle() const {
    if (!pending_.empty()) const_cast<Changes*>(this)->SettlePending();
  }
  void SettlePending();
  void Append(std::string_view key, const char* value, size_t value_size);
  void Set(uint64_t head, const Entry& entry);

  std::vector<Pending> pending_;
  Run firsts_;               // the first entry of each leaf, with its key only
  std::vector<Run> leaves_;  // none is empty
  std::vector<Run> unused_;  // empty ones, for their memory
  size_t size_ = 0;
  Arena arena_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_CHANGES_H_
