#include "stages/input/input_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "stages/input/reader.h"

namespace lookalike {
namespace {

/// Returns the absolute path of a local file, without simplifying it: after a link, `..` is not the
/// folder that the text suggests. Other paths are unchanged.
std::filesystem::path AbsolutePath(const InputFile& file) {
  std::error_code ignored;
  const auto absolute = std::filesystem::absolute(file.path, ignored);
  return ignored ? std::filesystem::path(file.path) : absolute;
}

bool HasOnlyAName(const InputFile& file) { return file.table || file.is_stdin; }

/// Returns the scheme, bucket and key of an object; empty for others.
std::string PathInStore(const InputFile& file) {
  const size_t colon = file.uri.find("://");
  if (colon == std::string::npos) return {};
  return "/" + file.uri.substr(0, colon) + file.uri.substr(colon + 2);
}

/// Returns the longest name that an input can get: its absolute path, or its path in a store. Empty
/// if it has only a name.
std::string WholePath(const InputFile& file) {
  if (HasOnlyAName(file)) return {};
  std::string path = PathInStore(file);
  return path.empty() ? AbsolutePath(file).lexically_normal().string() : path;
}

/// A resolver of the real paths of inputs, even if they are reached through links to folders.
class RealPaths {
 public:
  std::string KeyOf(const InputFile& file) {
    if (HasOnlyAName(file)) return file.name;
    std::string in_store = PathInStore(file);
    if (!in_store.empty()) return in_store;
    const std::filesystem::path path = AbsolutePath(file);
    if (path.parent_path() != folder_) {
      std::error_code error;
      folder_ = path.parent_path();
      real_ = std::filesystem::weakly_canonical(folder_, error);
      if (error) real_ = folder_;
    }
    return (real_ / path.filename()).string();
  }

 private:
  std::filesystem::path folder_, real_;  // of the last file: files of one folder come together
};

/// True when `folder` is one of the folders on the path `name`.
bool IsFolderOf(std::string_view folder, std::string_view name) {
  return name.size() > folder.size() && name[folder.size()] == '/' && name.starts_with(folder);
}

/// Orders names so that those below a folder come right after it.
bool ComesBefore(std::string_view a, std::string_view b) {
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (x == a.end() || y == b.end()) return x == a.end() && y != b.end();
  const auto rank = [](char c) { return c == '/' ? 0 : 1 + static_cast<unsigned char>(c); };
  return rank(*x) < rank(*y);
}

/// A helper that extends names of inputs until all are distinct.
class Naming {
 public:
  explicit Naming(InputList* files) : files_(*files), order_(files->size()) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  Status Run() {
    while (true) {
      std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
        const std::string_view x = files_.NameOf(a), y = files_.NameOf(b);
        return x == y ? a < b : ComesBefore(x, y);
      });
      conflicts_ = 0;
      Status status = ExtendEqual();
      if (status) status = ExtendFolders();
      if (!status || conflicts_ == 0) return status;
    }
  }

 private:
  /// Extends all names that are equal to their neighbours.
  Status ExtendEqual() {
    for (size_t first = 0, end; first < order_.size(); first = end) {
      for (end = first + 1; end < order_.size(); ++end) {
        if (files_.NameOf(order_[first]) != files_.NameOf(order_[end])) break;
      }
      if (end == first + 1) continue;
      ++conflicts_;
      bool extended = false;
      for (size_t i = first; i < end; ++i) plan_.emplace_back(order_[i], Longer(order_[i]));
      for (const auto& [i, name] : std::exchange(plan_, {})) {
        if (name.empty()) continue;
        Rename(i, name);
        extended = true;
      }
      if (!extended) return SameName(order_[first], order_[first + 1]);
    }
    return {};
  }

  /// Extends names that are equal to a folder in another name.
  Status ExtendFolders() {
    if (conflicts_ > 0) return {};  // the order no longer holds
    for (size_t i = 0; i + 1 < order_.size(); ++i) {
      const uint32_t upper = order_[i], lower = order_[i + 1];
      if (!IsFolderOf(files_.NameOf(upper), files_.NameOf(lower))) continue;
      ++conflicts_;
      std::string of_upper = Longer(upper), of_lower = Longer(lower);
      if (of_upper.empty() && of_lower.empty()) return SameName(upper, lower);
      if (!of_upper.empty()) {
        plan_.emplace_back(upper, std::move(of_upper));
      } else {
        plan_.emplace_back(lower, std::move(of_lower));
      }
    }
    for (const auto& [i, name] : std::exchange(plan_, {})) Rename(i, name);
    return {};
  }

  /// Returns the name with one more folder in front; empty if there is none.
  [[nodiscard]] std::string Longer(size_t i) const {
    const std::string whole = WholePath(files_[i]);
    const std::string_view name = files_.NameOf(i);
    if (whole.size() <= name.size() + 1 || !whole.ends_with(name)) return {};
    const size_t slash = whole.size() - name.size() - 1;  // before the name
    const size_t before = whole.rfind('/', slash - 1);
    if (slash == 0 || before == std::string::npos) return {};
    return whole.substr(before + 1);
  }

  void Rename(size_t i, const std::string& name) {
    InputFile file = files_[i];
    file.name = name;
    files_.Replace(i, file);
  }

  [[nodiscard]] tl::unexpected<Error> SameName(size_t first, size_t second) const {
    return UsageError(
        fmt::format("the inputs {} and {} cannot be told apart by name ({}, {}); rename "
                    "one of them",
                    files_[first].place(), files_[second].place(), files_.NameOf(first),
                    files_.NameOf(second)));
  }

  InputList& files_;
  std::vector<uint32_t> order_;
  std::vector<std::pair<uint32_t, std::string>> plan_;
  size_t conflicts_ = 0;
};

}  // namespace

Status CheckGivenOnce(const InputList& files) {
  RealPaths real;
  std::vector<std::pair<uint64_t, uint32_t>> hashes;
  for (uint32_t i = 0; i < files.size(); ++i) {
    const std::string key = real.KeyOf(files[i]);
    hashes.emplace_back(XXH3_64bits(key.data(), key.size()), i);
  }
  std::sort(hashes.begin(), hashes.end());
  for (size_t i = 1; i < hashes.size(); ++i) {
    if (hashes[i - 1].first != hashes[i].first) continue;
    const InputFile first = files[hashes[i - 1].second], second = files[hashes[i].second];
    if (real.KeyOf(first) != real.KeyOf(second)) continue;
    return InputError("is passed twice, perhaps in a folder and by its name; pass it once",
                      second.place());
  }
  return {};
}

Status NameApart(bool several, InputList* files) {
  if (several) LOOKALIKE_RETURN_IF_ERROR(CheckGivenOnce(*files));
  return Naming(files).Run();
}

}  // namespace lookalike
