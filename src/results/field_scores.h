// The resemblance of documents in each of several text fields, for the rows of a result.
#ifndef LOOKALIKE_RESULTS_FIELD_SCORES_H_
#define LOOKALIKE_RESULTS_FIELD_SCORES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lookalike/lookalike.h"
#include "lookalike/sink.h"
#include "records/bitmap.h"
#include "run/job.h"
#include "run/workspace.h"
#include "spill/columns.h"

namespace lookalike {

/// The features of the documents that a result names, by text field. Reading is safe from several
/// threads.
class FieldScores {
 public:
  using Pair = std::pair<DocNumber, DocNumber>;

  /// Reads the documents, which takes a pass over the inputs. Without several text fields it reads
  /// nothing, and no pair has scores.
  static Result<FieldScores> Read(const Job& job, const KnownInputs& known, const Bitmap& documents,
                                  const Observer& observer, Workspace* workspace);

  /// Appends the scores of pairs of these documents: for each pair, one for each field in the order
  /// of the options. The names refer to the job.
  Status Append(std::span<const Pair> pairs, std::vector<FieldScore>* scores) const;

  /// Returns the number of scores that a pair has.
  [[nodiscard]] size_t fields() const { return names_.size(); }

  /// Returns the scores of one pair among those that were appended.
  [[nodiscard]] std::span<const FieldScore> Of(size_t pair,
                                               std::span<const FieldScore> scores) const {
    return scores.subspan(pair * fields(), fields());
  }

 private:
  Status AppendSome(std::span<const Pair> pairs, std::vector<FieldScore>* scores) const;

  std::span<const std::string> names_;
  RankedBitmap documents_;
  VariableColumn sets_;  // of the features of each of them
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_FIELD_SCORES_H_
