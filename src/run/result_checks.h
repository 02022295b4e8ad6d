// checks.jsonl, which shows that a result belongs to certain inputs, is whole, and was written by
// this program.
#ifndef LOOKALIKE_RUN_RESULT_CHECKS_H_
#define LOOKALIKE_RUN_RESULT_CHECKS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/hashing_file_system.h"
#include "lookalike/status.h"
#include "records/input_list.h"

namespace lookalike {

inline constexpr std::string_view kManifestFile = "manifest.json";
inline constexpr std::string_view kChecksFile = "checks.jsonl";

/// True if a run writes something at this path of a result ("removed.jsonl", "kept/a.jsonl",
/// "kept/").
bool IsOfResult(std::string_view name);

/// A file of a result and its content.
struct ResultFile {
  std::string name;  ///< Its path from the result folder.
  ContentHash content;
};

/// An input as described in checks.jsonl. For standard input and tables only the size is known.
struct CheckedInput {
  std::string name;
  uint64_t bytes = 0;
  std::optional<int64_t> mtime_ns;
  std::optional<uint64_t> edges;  ///< As HashEdges() returns it.
};

struct ResultChecks {
  std::vector<CheckedInput> inputs;
  std::vector<ResultFile> files;  ///< All but the manifest and checks.jsonl itself.
  uint64_t manifest = 0;          ///< As HashManifest() returns it.
};

/// Returns the checkable facts about the current state of an input. `fetched`: objects of stores
/// were copied to local files.
Result<CheckedInput> DescribeInput(const InputFile& file, bool fetched);

/// Returns the XXH3-64 of the facts about the result in a manifest, without the times and memory of
/// the run. Returns nothing if the text is not the manifest of a result.
std::optional<uint64_t> HashManifest(const std::string& manifest);

/// Calls `take(ResultFile)`, which returns a Status, for some files of a result.
using ForEachResultFile =
    std::function<Status(const std::function<Status(const ResultFile&)>& take)>;

/// Writes checks.jsonl into a result folder that is otherwise complete. `known` has the files whose
/// content is known; the others, which are in the folder itself, are read. checks.jsonl is written
/// to `target`.
Status WriteChecks(const InputList& inputs, const ForEachResultFile& known,
                   const std::string& folder, const std::string& target);

/// Reads the text of checks.jsonl; returns an Error if it is not what WriteChecks() wrote.
Result<ResultChecks> ReadChecks(const std::string& text);

/// Reads a file's content. `look` is called after about each MiB that was read; if it returns
/// false, reading ends with the Error "interrupted".
Result<ContentHash> ReadContentHash(const std::string& path,
                                    const std::function<bool(uint64_t bytes)>& look = {});

/// Checks that a folder may be replaced by a result: it is empty, or it is a result in which
/// everything was written by runs. The Error says what it holds instead, and what to do.
Status CheckReplaceable(const std::string& folder);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_RESULT_CHECKS_H_
