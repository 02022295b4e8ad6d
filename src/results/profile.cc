#include "results/profile.h"

#include <nlohmann/json.hpp>

#include "io/file_system.h"
#include "io/output_stream.h"
#include "results/summary_parts.h"

namespace lookalike {

Status CheckProfilePlace(const std::string& path) {
  if (path.empty()) return {};
  FileSystem& files = RealFileSystem();
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts folder, files.Stat(ParentOf(path) + "/"));
  if (folder.kind != FileKind::kDirectory) {
    return OptionError("$<profile> is in a folder that does not exist; create it first", path);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(path));
  if (facts.kind == FileKind::kMissing || facts.kind == FileKind::kFile) return {};
  return OptionError("$<profile> is not a file; choose another name", path);
}

Status WriteProfile(const std::string& path, const std::vector<StageCost>& stages) {
  if (path.empty()) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(const auto stream, OutputStream::Create(path, Codec::kNone));
  LOOKALIKE_RETURN_IF_ERROR(stream->Write(ProfileJson(stages).dump(2) + "\n"));
  return stream->Close();
}

}  // namespace lookalike
