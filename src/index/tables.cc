#include "index/tables.h"

#include <fmt/format.h>

#include "fingerprint/feature_extractor.h"
#include "io/file_system.h"
#include "io/whole_file.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

Status CopyTable(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  if (!error) fs::copy_file(from, to, fs::copy_options::skip_existing, error);
  if (error) return DiskError("cannot be written: " + error.message(), to.string());
  FileSystem& files = RealFileSystem();
  LOOKALIKE_RETURN_IF_ERROR(files.SyncPath(to.string()));
  return files.SyncPath(to.parent_path().string());
}

}  // namespace

bool NamesTable(const OptionRow& row, const Options& options) {
  if (row.name != "weights" && row.name != "stop-words") return false;
  return OptionText(row, options).find_first_of("/.") != std::string::npos;
}

Result<std::string> TableName(const OptionRow& row, const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string content,
                             ReadWholeFile(OptionText(row, options), RealFileSystem()));
  return fmt::format("{}-{:016x}", row.name, HashText(content));
}

fs::path PlaceOfTable(const fs::path& folder, const std::string& name) {
  return folder / "tables" / name;
}

Status KeepTables(const fs::path& folder, Options* options) {
  for (const OptionRow& row : OptionTable()) {
    if (!NamesTable(row, *options)) continue;
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string name, TableName(row, *options));
    const fs::path kept = PlaceOfTable(fs::absolute(folder), name);
    LOOKALIKE_RETURN_IF_ERROR(CopyTable(OptionText(row, *options), kept));
    LOOKALIKE_RETURN_IF_ERROR(SetOption(row, kept.string(), options));
  }
  return {};
}

Status CheckTables(const Options& options) {
  for (const OptionRow& row : OptionTable()) {
    if (!NamesTable(row, options)) continue;
    const fs::path kept = OptionText(row, options);
    const auto name = TableName(row, options);
    if (!name) {
      return CorruptError(
          "the index cannot read its table: " + name.error().what + "; restore it from a backup",
          kept.string());
    }
    if (*name != kept.filename()) return CorruptError("it is not as it was stored", kept.string());
  }
  return {};
}

}  // namespace lookalike
