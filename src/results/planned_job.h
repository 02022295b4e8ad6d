// A job that tasks do together, as it lies in the folder that they share
// (docs/format/shards-v1.md).
#ifndef LOOKALIKE_RESULTS_PLANNED_JOB_H_
#define LOOKALIKE_RESULTS_PLANNED_JOB_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/file_system.h"
#include "io/object_uri.h"
#include "lookalike/options.h"
#include "lookalike/shards.h"
#include "run/job_facts.h"
#include "run/workspace.h"

namespace lookalike {

/// The stages of a job, in order.
inline constexpr std::array kStages = {kFingerprintStage, kSurveyStage, kCountStage,  kJoinStage,
                                       kSetsStage,        kVerifyStage, kDecideStage, kWriteStage};

/// The files of a job and of its result.
class JobFolder {
 public:
  /// `files`: the file system in which tasks share the job's files; it outlives this.
  JobFolder(std::string job, std::string output, FileSystem& files = RealFileSystem())
      : job_(std::move(job)), output_(std::move(output)), files_(&files) {}

  [[nodiscard]] FileSystem& files() const { return *files_; }

  [[nodiscard]] const std::string& job() const { return job_; }
  [[nodiscard]] std::string job_file() const { return job_ + "/job.json"; }
  [[nodiscard]] std::string inputs_file() const { return job_ + "/inputs.jsonl"; }
  [[nodiscard]] std::string records() const { return job_ + "/records"; }
  [[nodiscard]] std::string units() const { return job_ + "/units"; }
  [[nodiscard]] std::string tasks() const { return job_ + "/tasks"; }
  [[nodiscard]] std::string complete() const { return job_ + "/complete.json"; }
  [[nodiscard]] const std::string& output() const { return output_; }
  /// Where the result is made: beside it, or, if it is in a store, in the job's folder.
  [[nodiscard]] std::string partial() const {
    return IsObjectUri(output_) ? job_ + "/result.partial" : output_ + ".partial";
  }
  [[nodiscard]] std::string result() const { return partial() + "/result"; }

  /// Makes all folders, of the job and of the result.
  [[nodiscard]] Status Make() const;

  /// Writes a file that all tasks see, in one step.
  [[nodiscard]] Status Write(const std::string& path, std::string_view text) const;

 private:
  std::string job_, output_;
  FileSystem* files_;
};

/// A job as it was planned. Tasks read it.
struct PlannedJob {
  std::string id;  ///< Random; it marks the place in a store that the result goes to.
  std::vector<std::string> inputs;
  std::string output;
  Options options;
  uint64_t max_record = 0;  ///< Bytes of a record that every task has memory for.
  uint64_t lane_bytes = 0;
  uint64_t lanes = 0, written_lanes = 0;
  uint64_t key_units = 0;   ///< The units of each stage that divides documents by keys.
  std::string description;  ///< As DescribeJob() returns it.
  JobFacts facts;           ///< In a file of its own: there may be very many inputs.
};

Result<bool> Exists(const std::string& path, FileSystem& files = RealFileSystem());

/// Returns the name of an input for a process with any working directory: its absolute path, or the
/// URI of an object.
std::string AbsoluteName(const std::string& input);

/// Names the files that options lead to by their absolute paths.
Options WithAbsolutePaths(Options options);

/// Returns the text of job.json.
Result<std::string> EncodeJob(const PlannedJob& planned);

/// Reads the job in a folder. `name` is for errors.
Result<PlannedJob> ReadJob(const JobFolder& folder, const std::string& name);

/// True if the result stands in its place: the folder that it was made in is then gone.
Result<bool> IsCommitted(const JobFolder& folder);

/// Counts the units that are done.
Result<ShardStatus> CountUnits(const PlannedJob& planned, const JobFolder& folder);

/// Records that the job is complete, with its status at the end. Several tasks may do so.
Status WriteFinalStatus(const ShardStatus& status, const JobFolder& folder);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_PLANNED_JOB_H_
