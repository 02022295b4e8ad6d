#include "index/data_folder.h"

#include <charconv>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "io/file_system.h"
#include "io/whole_file.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirst = "data", kLater = "data-";

fs::path PointerOf(const fs::path& folder) { return folder / "current"; }

}  // namespace

fs::path DataOf(const fs::path& folder) {
  std::ifstream file(PointerOf(folder));
  std::string name;
  // Nothing else is followed, whatever the file may say.
  if (!file || !std::getline(file, name) || !name.starts_with(kLater)) return folder / kFirst;
  return folder / fs::path(name).filename();
}

fs::path NextDataOf(const fs::path& folder) {
  const std::string present = DataOf(folder).filename();
  uint64_t number = 1;
  if (present.starts_with(kLater)) {
    std::from_chars(present.data() + kLater.size(), present.data() + present.size(), number);
  }
  return folder / (std::string(kLater) + std::to_string(number + 1));
}

Status ReplaceFile(const fs::path& file, const std::string& text) {
  FileSystem& files = RealFileSystem();
  const fs::path fresh = file.string() + ".new";
  LOOKALIKE_RETURN_IF_ERROR(WriteDurably(fresh.string(), text, files));
  std::error_code error;
  fs::rename(fresh, file, error);
  if (error) return DiskError("cannot be written: " + error.message(), file.string());
  return files.SyncPath(file.parent_path().string());
}

Status ReplaceData(const fs::path& folder, const fs::path& next) {
  LOOKALIKE_RETURN_IF_ERROR(RealFileSystem().SyncPath(next.string()));
  return ReplaceFile(PointerOf(folder), next.filename().string() + "\n");
}

void RemoveOtherData(const fs::path& folder) {
  const fs::path present = DataOf(folder);
  std::error_code error;
  std::vector<fs::path> others;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    const bool is_data = name == kFirst || name.starts_with(kLater);
    if (is_data && at->path().filename() != present.filename()) others.push_back(at->path());
  }
  for (const fs::path& other : others) fs::remove_all(other, error);
}

// The store may be replaced between the look at its name and its opening. Changes to the old one
// would be lost.
Result<std::unique_ptr<Store>> OpenData(const fs::path& folder, StoreMode mode, uint64_t cache) {
  while (true) {
    const fs::path data = DataOf(folder);
    std::error_code error;
    Result<std::unique_ptr<Store>> store =
        CorruptError("is missing; restore the index from a backup", data.string());
    if (fs::exists(data, error)) store = OpenStore(data, mode, cache);  // which would make it
    if (DataOf(folder) == data) return store;
  }
}

}  // namespace lookalike
