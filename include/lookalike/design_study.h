// Studies of band designs: what a design lets pass, which one to choose, and how an edit changes
// the resemblance. Nothing here reads inputs.
#ifndef LOOKALIKE_DESIGN_STUDY_H_
#define LOOKALIKE_DESIGN_STUDY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// Questions to answer about a design, besides its acceptance curve.
struct DesignQuestions {
  std::vector<double> at;        ///< Resemblances to simulate at; empty: 0, .05, ... 1.
  std::vector<double> found;     ///< Acceptance probabilities, in (0, 1), whose J is wanted.
  uint64_t simulated_pairs = 0;  ///< Document pairs to draw at each resemblance; 0: none.
  uint64_t documents = 0;        ///< Size of a collection to estimate costs for; 0: none.
  uint64_t features = 0;         ///< Features per document, for `curve`; 0: no curve.
};

/// The simulation at one resemblance: random pairs, put through the real sketch and keys.
struct SimulatedAcceptance {
  double resemblance = 0;     ///< Each pair has exactly this: `at`, to the nearest thousandth.
  double predicted = 0;       ///< The share that the formula predicts.
  double measured = 0;        ///< Share of the pairs that passed.
  double standard_error = 0;  ///< For `measured`, computed from `predicted`.
};

/// The acceptance curve of a design for documents with a given number of features each, with the
/// sketch in use. Coordinates of `fss` and `one-permutation` are not independent: for short
/// documents the curve is steeper than the formula predicts.
struct SketchCurve {
  std::string sketch;
  uint64_t features = 0;
  /// Pairs drawn for each point and put through the real sketch; the standard error of a share p is
  /// sqrt(p (1 - p) / pairs). 0: documents are so long that the formula holds.
  uint64_t pairs = 0;
  std::vector<std::pair<double, double>> acceptance;  ///< (J, share that passes) at `at`.
  double half_point = 0;  ///< Accurate to .002, plus the sampling error of `pairs`.
};

/// The costs of a design on a collection of `documents` unrelated documents.
struct CollectionCosts {
  uint64_t documents = 0;
  double pairs = 0;             ///< Pairs of documents; exact up to 2^53.
  uint64_t bytes = 0;           ///< Size of the stored hashes.
  uint64_t key_records = 0;     ///< Key records to sort or look up.
  double accidental_pairs = 0;  ///< Pairs with nothing in common that pass.
};

struct DesignStudy {
  std::vector<std::pair<double, double>> inverse;  ///< (P, the J accepted with probability P).
  double width = 0;  ///< Distance from the J accepted once in 100 to the J rejected once in 100.
  double steepest = 0, slope = 0;  ///< The J, to .001, where P rises most, and dP/dJ there.
  /// (1/B)^(1/R), the usual estimate of where the curve of B bands of R rows rises (MMDS 3.4.2).
  /// Only for bands.
  std::optional<double> threshold_rule;
  double threshold = 0;  ///< Options::threshold.
  /// The area under the curve below the threshold, and the area above the curve beyond the
  /// threshold: the shares of false positives and false negatives for evenly spread resemblances.
  double false_positive_area = 0, false_negative_area = 0;
  /// (J, sqrt(J (1 - J) / K)) at `at`: the standard error of the estimate from a whole sketch. Only
  /// for sketch:K:T.
  std::vector<std::pair<double, double>> standard_error;
  std::vector<SimulatedAcceptance> simulated;
  std::optional<SketchCurve> curve;  ///< Set if `features` was asked for.
  std::optional<CollectionCosts> collection;
};

/// Studies Options::design, or the design planned for the threshold and recall. Simulation draws
/// pairs of sets whose union has 1000 features with Options::seed, sketches them with
/// Options::sketch, and makes keys as a search does.
Result<DesignStudy> StudyDesign(const Options& options, const DesignQuestions& questions);

/// Limits on the cost of a groups design, and the position that its curve should have.
struct DesignGoal {
  uint64_t bytes = 48;          ///< Most bytes stored per document; at most 1024.
  double at = 0.9;              ///< The resemblance, to .01, at which half of the pairs pass.
  uint64_t keys = 4096;         ///< Most keys (lookups) per document; at most 4096.
  uint64_t coordinates = 1024;  ///< Most coordinates (samples); at most 4096.
  double accidental = 1e-6;     ///< Largest allowed P[unrelated documents pass].
};

/// A design that meets a goal.
struct FoundDesign {
  std::string design;
  uint64_t keys = 0, coordinates = 0, bytes_per_document = 0;
  double half_point = 0;
  double at_1 = 0, at_99 = 0;  ///< J at P = .01 and .99.
  double accidental = 0;       ///< P at J = 0.
  [[nodiscard]] double width() const { return at_99 - at_1; }
};

struct DesignSearch {
  uint64_t considered = 0;  ///< Shapes (groups, threshold, bits) that were examined.
  /// Sharpest first: by width (to 1e-4), then bytes, then keys. At most ten, one of each shape.
  std::vector<FoundDesign> best;
  FoundDesign altavista;  ///< groups:6x14:2, to compare with (Broder 1998).
  /// The whole sketch with as many coordinates as the best design, at the T whose half point is
  /// nearest: no filter of these samples can be much sharper.
  FoundDesign whole_sketch;
};

/// Finds the sharpest designs `groups:GxL:TAU:BITS` that meet a goal, by trying all G and TAU, and
/// BITS of 8, 12, 16, 24, 32, 48 and 64, with the L that fit. Bands are groups with TAU = 1.
Result<DesignSearch> SearchDesigns(const DesignGoal& goal);

/// The number of words that an edit touches, and the resemblance that is left.
struct EditCost {
  uint64_t words = 0;
  double resemblance = 0;
};

/// The edits of a text whose words are all distinct.
struct EditCosts {
  EditCost removed;      ///< Consecutive words deleted, with W - 1 or more left on both sides;
  EditCost removed_end;  ///< deleted at an end;
  EditCost inserted;     ///< consecutive new words inserted;
  EditCost replaced;     ///< consecutive words replaced by as many new ones;
  EditCost changed;      ///< single words changed, W or more words apart.
};

struct EditStudy {
  uint64_t words = 0, shingle = 0, shingles = 0;  ///< Words of the text; W; words - W + 1.
  /// (J, the most words that each edit may touch and still leave a resemblance of J or more).
  std::vector<std::pair<double, EditCosts>> at;
  /// (m, the resemblance that each edit of m words leaves; EditCost::words is 0 if it does not
  /// fit).
  std::vector<std::pair<uint64_t, EditCosts>> by_words;
};

/// Computes what edits cost a text of `words` distinct words (Broder's rules of thumb, made exact;
/// the formulas are in docs/plan.md). Options::shingle is word:W. `at` empty: .95, .9, .8, .7, .5.
Result<EditStudy> StudyEdits(const Options& options, uint64_t words, const std::vector<double>& at);

}  // namespace lookalike

#endif  // LOOKALIKE_DESIGN_STUDY_H_
