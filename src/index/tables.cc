#include "index/tables.h"

#include <fmt/format.h>

#include "fingerprint/feature_extractor.h"
#include "io/file_system.h"
#include "io/whole_file.h"
#include "options/feature_options.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

std::string NameOf(const OptionRow& row, std::string_view content) {
  return fmt::format("{}-{:016x}", row.name, HashText(content));
}

Result<std::string> ContentOf(const OptionRow& row, const Options& options) {
  return ReadWholeFile(OptionText(row, options), RealFileSystem());
}

}  // namespace

bool NamesTable(const OptionRow& row, const Options& options) {
  if (row.name != "weights" && row.name != "stop-words") return false;
  return IsTablePath(OptionText(row, options));
}

Result<std::string> TableName(const OptionRow& row, const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string content, ContentOf(row, options));
  return NameOf(row, content);
}

fs::path PlaceOfTable(const fs::path& folder, const std::string& name) {
  return folder / "tables" / name;
}

Status KeepTables(const fs::path& folder, Options* options) {
  for (const OptionRow& row : OptionTable()) {
    if (!NamesTable(row, *options)) continue;
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string content, ContentOf(row, *options));
    const fs::path kept = PlaceOfTable(fs::absolute(folder), NameOf(row, content));
    std::error_code ignored;  // the file says it too
    fs::create_directories(kept.parent_path(), ignored);
    LOOKALIKE_RETURN_IF_ERROR(WriteDurably(kept.string(), content, RealFileSystem()));
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
