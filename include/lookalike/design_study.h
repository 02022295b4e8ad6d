// Band designs as an object of study: what a filter lets pass, which one to take, and what an edit
// does to the resemblance it is to pass at. Nothing here reads inputs.
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

/// What is asked of a design besides its acceptance.
struct DesignQuestions {
  std::vector<double> at;        ///< Resemblances to simulate at; empty: 0, .05, ... 1.
  std::vector<double> found;     ///< Probabilities, above 0 and below 1, to invert.
  uint64_t simulated_pairs = 0;  ///< Pairs of documents to draw at each resemblance; 0: none.
  uint64_t documents = 0;        ///< Documents of a collection to reckon for; 0: none.
  uint64_t features = 0;         ///< Of a document, for the curve of Options::sketch; 0: none.
};

/// Pairs that were drawn at one resemblance and went through the real sketch and keys.
struct SimulatedAcceptance {
  double resemblance = 0;     ///< Exactly that of all pairs: the nearest thousandth.
  double predicted = 0;       ///< By formula.
  double measured = 0;        ///< Share of the pairs that passed.
  double standard_error = 0;  ///< Of `measured`, by the prediction.
};

/// What a design finds of documents of so many features each, by the sketch in use. Coordinates of
/// `fss` and `one-permutation` are not independent: of short documents curves are steeper than the
/// formula has it.
struct SketchCurve {
  std::string sketch;
  uint64_t features = 0;
  /// Pairs that were drawn for each point and went through the real sketch; the standard error of a
  /// share p is sqrt(p (1 - p) / pairs). 0: documents are so long that the formula holds.
  uint64_t pairs = 0;
  std::vector<std::pair<double, double>> acceptance;  ///< (J, share that passes) at `at`.
  double half_point = 0;                              ///< To .002, and the scatter of `pairs`.
};

/// A design on a collection of so many unlike documents.
struct CollectionReckoning {
  uint64_t documents = 0;
  double pairs = 0;             ///< Exactly, up to 2^53.
  uint64_t bytes = 0;           ///< Of stored hashes.
  uint64_t key_records = 0;     ///< To sort or look up.
  double accidental_pairs = 0;  ///< Pairs with nothing in common that pass.
};

struct DesignStudy {
  std::vector<std::pair<double, double>> inverse;  ///< (P, the J at which P is accepted).
  double width = 0;  ///< From the J that passes once in 100 to the one that fails once in 100.
  double steepest = 0, slope = 0;  ///< The J, to .001, where P rises most, and dP/dJ there.
  /// (1/B)^(1/R), the usual estimate of where bands of R rise (MMDS 3.4.2). Bands only.
  std::optional<double> threshold_rule;
  double threshold = 0;  ///< Options::threshold.
  /// Areas under the curve below the threshold and above it beyond: the shares of pairs, of evenly
  /// spread resemblances, that pass wrongly and fail wrongly.
  double false_positive_area = 0, false_negative_area = 0;
  /// (J, sqrt(J (1 - J) / K)) at `at`: how far the estimate of a whole sketch scatters. sketch:K:T
  /// only.
  std::vector<std::pair<double, double>> standard_error;
  std::vector<SimulatedAcceptance> simulated;
  std::optional<SketchCurve> curve;  ///< Where `features` were asked for.
  std::optional<CollectionReckoning> collection;
};

/// Studies Options::design, or the one planned for threshold and recall. Simulation draws pairs of
/// sets whose union has 1000 features by Options::seed, sketches them by Options::sketch, and makes
/// keys as a search does.
Result<DesignStudy> StudyDesign(const Options& options, const DesignQuestions& questions);

/// What a filter of groups may cost, and where its curve is to be.
struct DesignGoal {
  uint64_t bytes = 48;          ///< Stored per document, at the most; to 1024.
  double at = 0.9;              ///< Where half of the pairs pass, to .01.
  uint64_t keys = 4096;         ///< Keys (lookups) per document at the most; to 4096.
  uint64_t coordinates = 1024;  ///< Coordinates (samples) at the most; to 4096.
  double accidental = 1e-6;     ///< P[unlike documents pass] at the most.
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
  uint64_t considered = 0;  ///< Shapes (groups, threshold, bits) that were looked at.
  /// The sharpest first: by width (to 1e-4), then bytes, then keys. Ten at most, one of each shape.
  std::vector<FoundDesign> best;
  FoundDesign altavista;  ///< groups:6x14:2, to compare with (Broder 1998).
  /// The whole sketch of as many coordinates as the best has, at the T whose half point is nearest:
  /// what no filter of these samples can be much sharper than.
  FoundDesign whole_sketch;
};

/// Looks for the sharpest designs `groups:GxL:TAU:BITS` of a goal, by trying all G and TAU and BITS
/// of 8, 12, 16, 24, 32, 48 and 64 with the L that fit. Bands are groups with TAU of 1.
Result<DesignSearch> SearchDesigns(const DesignGoal& goal);

/// How many words an edit may touch, and what is then left.
struct EditCost {
  uint64_t words = 0;
  double resemblance = 0;
};

/// The edits of a text, each of its words being another.
struct EditCosts {
  EditCost removed;      ///< Words in a row deleted, with W - 1 or more left on both sides;
  EditCost removed_end;  ///< deleted at an end;
  EditCost inserted;     ///< new words put in, in a row;
  EditCost replaced;     ///< words in a row replaced by as many new ones;
  EditCost changed;      ///< single words changed, W or more words apart.
};

struct EditStudy {
  uint64_t words = 0, shingle = 0, shingles = 0;  ///< Of the text; W; words - W + 1.
  /// (J, the most words of each edit that leave a resemblance of J or more).
  std::vector<std::pair<double, EditCosts>> at;
  /// (words, what each edit of so many leaves; nothing where it does not fit: words of 0).
  std::vector<std::pair<uint64_t, EditCosts>> by_words;
};

/// What edits cost a text of so many distinct words (Broder's rules of thumb, exactly; the formulas
/// are in docs/plan.md). Options::shingle is word:W. `at` empty: .95, .9, .8, .7, .5.
Result<EditStudy> StudyEdits(const Options& options, uint64_t words, const std::vector<double>& at);

}  // namespace lookalike

#endif  // LOOKALIKE_DESIGN_STUDY_H_
