// The documents of sketch files, as an index compares them: by codes alone.
#ifndef LOOKALIKE_API_SKETCHED_PROBES_H_
#define LOOKALIKE_API_SKETCHED_PROBES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/rules.h"
#include "index/search.h"
#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "run/job.h"
#include "stages/input/sketch_blocks.h"

namespace lookalike {

/// True if an input is a file that `lookalike sketch` wrote, by its name or its first bytes.
bool NamesSketchFile(const Inputs& inputs);

/// A document of a sketch file.
struct SketchedDocument {
  std::string id;
  Probe probe;  ///< Without features.
};

class SketchedDocuments {
 public:
  /// Opens sketch files. Returns an Error if one was made with other options than the index has, or
  /// with coordinates that do not give its codes. The rules outlive this object.
  static Result<SketchedDocuments> Open(const Inputs& inputs, const IndexRules& rules,
                                        const Options& reading, const Observer& observer);

  /// Replaces `documents` with the next ones; returns false at the end. Documents of few features
  /// are found by them, which a sketch does not have: they are counted and said, and left out.
  Result<bool> Next(std::vector<SketchedDocument>* documents);

  [[nodiscard]] uint64_t rejected() const { return rejected_; }

 private:
  SketchedDocuments(const IndexRules& rules, Job job, const Observer& observer)
      : rules_(&rules), job_(std::move(job)), observer_(observer) {}

  std::optional<Probe> ProbeOf(const SketchRecord& record, const StoredSketch& like) const;

  const IndexRules* rules_;
  Job job_;
  Observer observer_;
  size_t file_ = 0;  // the next one to open
  std::optional<SketchBlocks> blocks_;
  uint64_t rejected_ = 0;
};

}  // namespace lookalike

#endif  // LOOKALIKE_API_SKETCHED_PROBES_H_
