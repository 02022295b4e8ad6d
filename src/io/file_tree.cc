#include "io/file_tree.h"

#include <algorithm>

namespace lookalike {
namespace {

Status AddFilesBelow(const std::string& folder, const std::string& below, FileSystem& files,
                     std::vector<std::string>* names) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto entries, files.List(folder + "/" + below));
  for (const std::string& entry : entries) {
    const std::string name = below + entry;
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(folder + "/" + name));
    if (facts.kind == FileKind::kDirectory) {
      LOOKALIKE_RETURN_IF_ERROR(AddFilesBelow(folder, name + "/", files, names));
    } else {
      names->push_back(name);
    }
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> ListFilesBelow(const std::string& folder, FileSystem& files) {
  std::vector<std::string> names;
  LOOKALIKE_RETURN_IF_ERROR(AddFilesBelow(folder, "", files, &names));
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace lookalike
