#include "results/profile.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/file_system.h"
#include "io/output_stream.h"
#include "io/pending_output.h"
#include "results/summary_parts.h"

namespace lookalike {

Status CheckProfilePlace(const std::string& path, const std::string& output,
                         std::span<const std::string> read) {
  if (path.empty()) return {};
  FileSystem& files = RealFileSystem();
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts folder, files.Stat(ParentOf(path) + "/"));
  if (folder.kind != FileKind::kDirectory) {
    return OptionError("$<profile> is in a folder that does not exist; create it first", path);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(path));
  if (facts.kind != FileKind::kMissing && facts.kind != FileKind::kFile) {
    return OptionError("$<profile> is not a file; choose another name", path);
  }
  const auto settled = [](const std::string& name) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(name)).string() + "/";
  };
  const std::string here = settled(path), result = settled(output);
  const std::string partial = result.substr(0, result.size() - 1) + ".partial/";
  if (here.starts_with(result) || here.starts_with(partial)) {
    return OptionError("$<profile> is in the folder of the result; choose a place outside of it",
                       path);
  }
  return CheckAgainstInputs(path, read);
}

Status WriteProfile(const std::string& path, const std::vector<StageCost>& stages) {
  if (path.empty()) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(const auto stream, OutputStream::Create(path, Codec::kNone));
  LOOKALIKE_RETURN_IF_ERROR(stream->Write(ProfileJson(stages).dump(2) + "\n"));
  return stream->Close();
}

}  // namespace lookalike
