// checks.jsonl, by which a result is known to be of certain inputs, whole, and of this program.
#ifndef LOOKALIKE_BATCH_RESULT_CHECKS_H_
#define LOOKALIKE_BATCH_RESULT_CHECKS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flow/input_list.h"
#include "io/hashing_file_system.h"
#include "lookalike/status.h"

namespace lookalike {

inline constexpr std::string_view kManifestFile = "manifest.json";
inline constexpr std::string_view kChecksFile = "checks.jsonl";

/// Whether something at this path in a result ("removed.jsonl", "kept/a.jsonl", "kept/") is what a
/// run writes there.
bool IsOfResult(std::string_view name);

/// A file of a result and what it holds.
struct ResultFile {
  std::string name;  ///< Its path from the result folder.
  ContentHash content;
};

/// What checks.jsonl says of an input. Of standard input and of tables only the size is known.
struct CheckedInput {
  std::string name;
  uint64_t bytes = 0;
  std::optional<int64_t> mtime_ns;
  std::optional<uint64_t> edges;  ///< As HashEdges() has it.
};

struct ResultChecks {
  std::vector<CheckedInput> inputs;
  std::vector<ResultFile> files;  ///< All but the manifest and checks.jsonl itself.
  uint64_t manifest = 0;          ///< As HashManifest() has it.
};

/// What there is to check of an input as it is now. `fetched`: objects of stores are files here.
Result<CheckedInput> DescribeInput(const InputFile& file, bool fetched);

/// XXH3-64 of what a manifest says of the result, without times and memory of the run that made it;
/// nothing where the text is no manifest of a result.
std::optional<uint64_t> HashManifest(const std::string& manifest);

/// Calls `take(ResultFile)`, which returns a Status, for some files of a result.
using ForEachResultFile =
    std::function<Status(const std::function<Status(const ResultFile&)>& take)>;

/// Writes checks.jsonl into a result folder that is otherwise complete. `known` has files whose
/// content is known; of the others, which stand in the folder itself, it is read.
Status WriteChecks(const InputList& inputs, const ForEachResultFile& known,
                   const std::string& folder);

/// Reads the text of checks.jsonl; an Error where it is not what WriteChecks() wrote.
Result<ResultChecks> ReadChecks(const std::string& text);

/// Reads what a file holds. `look` is told of every MiB or so that was read, and ends the reading
/// with the Error "interrupted" by false.
Result<ContentHash> ReadContentHash(const std::string& path,
                                    const std::function<bool(uint64_t bytes)>& look = {});

/// Whether a folder may be replaced by a result: it is empty, or it is a result, and holds nothing
/// that no run wrote. An Error says what it holds instead, and what to do.
Status CheckReplaceable(const std::string& folder);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_RESULT_CHECKS_H_
