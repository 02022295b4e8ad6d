// Turns options and the names of inputs into a job.
#ifndef LOOKALIKE_RUN_RESOLVE_JOB_H_
#define LOOKALIKE_RUN_RESOLVE_JOB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "io/object_access.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/status.h"
#include "run/job.h"
#include "stages/input/reader.h"

namespace lookalike {

struct JobFacts;

/// Returns the inputs of a run as its user named them: the reference first, so that its documents
/// have the lowest numbers. A file:// URI is replaced by its path.
std::vector<std::string> NamedInputs(const std::vector<std::string>& inputs,
                                     const Options& options);

/// The inputs of a run, the reference first.
struct FoundCollections {
  FoundInputs inputs;
  uint32_t reference = 0;  ///< Number of inputs from --against.
};

/// Finds the inputs that `names` and --against lead to, by the rules that the options set. Within
/// each of the two collections all inputs have different names.
Result<FoundCollections> FindCollections(const std::vector<std::string>& names,
                                         const Options& options, Discovery how);

/// Returns the same as NamedInputs(), plus the tables that options name: no result may overwrite
/// any of these.
std::vector<std::string> FilesRead(const std::vector<std::string>& inputs, const Options& options);

/// Checks the options and determines everything that depends only on them. `all_pairs`: for the
/// command `pairs`. `may_estimate`: pairs may be judged by sketches alone.
Result<Job> BeginJob(const Options& options, bool all_pairs, bool may_estimate);
inline Result<Job> BeginJob(const Options& options, bool all_pairs) {
  return BeginJob(options, all_pairs, all_pairs);
}

/// The settings of ResolveJob().
struct Resolving {
  bool all_pairs = false;      ///< For the command `pairs`.
  std::string spool_dir = {};  ///< Receives standard input and copies of objects.
  bool is_spooled = false;     ///< Standard input is there already.
  ObjectReading objects = {};
  const JobFacts* facts = nullptr;  ///< Known from an earlier time; null: inputs are opened.
};

/// Checks the options, finds the inputs, settles fields, method and design.
Result<Job> ResolveJob(const Inputs& inputs, const Options& options, const Resolving& how);

/// Returns a job that searches another text field, for documents that are alike in any of several.
Job JobOfField(const Job& job, size_t field);

/// Checks the options and determines the design for a collection of `documents` documents, without
/// reading any. `all_pairs`: for the command `pairs`. No design with method `exact`.
Result<Job> JobInMemory(const Options& options, uint64_t documents, bool all_pairs);

/// Chooses another design that misses a tenth as many pairs. Returns false if there is none, if the
/// options name the design, or if this was done before: the job is then unchanged.
bool PlanForFewerMisses(Job* job);

/// Does the same as ResolveJob, but for a single pass over all documents of the inputs: no design,
/// no keep order, no reference.
Result<Job> ResolveReading(const Inputs& inputs, const Options& options,
                           const std::string& spool_dir, const ObjectReading& objects);

/// Does the same as ResolveReading for sketching (Options::sketch, coordinates or a sample): a bad
/// input is an Error.
Result<Job> ResolveSketching(const Inputs& inputs, const Options& options,
                             const std::string& spool_dir, const ObjectReading& objects);

/// Returns a job in which only the inputs, and the way to read them, are settled. `fields` are used
/// as they are.
Result<Job> JobThatReads(const Inputs& inputs, const Options& options, FieldPaths fields,
                         const std::string& spool_dir, const ObjectReading& objects);

/// Returns a job that reads sketch files, with the options that all of them were made with.
Result<Job> JobOfSketchFiles(const Inputs& inputs, const Options& options,
                             const std::string& spool_dir, const ObjectReading& objects);

/// Does the same as JobThatReads for a search in texts by their features, with the reference and
/// the keep order.
Result<Job> JobOfTexts(const Inputs& inputs, const Options& options, const std::string& spool_dir,
                       const ObjectReading& objects);

/// Does the same as JobThatReads for a search by distances, with the reference. `form`: the form of
/// the text field.
Result<Job> JobOfDistances(const Inputs& inputs, const Options& options, TextForm form,
                           const std::string& spool_dir, const ObjectReading& objects);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_RESOLVE_JOB_H_
