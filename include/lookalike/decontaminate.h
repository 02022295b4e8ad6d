// Decontamination: items of benchmarks that stand in the documents of a collection.
#ifndef LOOKALIKE_DECONTAMINATE_H_
#define LOOKALIKE_DECONTAMINATE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// Says what happens to documents in which an item was found.
enum class ContaminationAction : uint8_t {
  kReport,  ///< Nothing: they are listed.
  kDrop,    ///< They are left out.
  kCut,     ///< The words that they share with the item are taken out.
};

/// Returns "report", "drop" or "cut".
std::string_view NameOf(ContaminationAction action);

/// Returns the action of this name, if there is one.
std::optional<ContaminationAction> ContaminationActionOf(std::string_view name);

/// The items that are looked for, and what is done about them.
struct ContaminationRules {
  ContaminationAction action = ContaminationAction::kReport;
  /// Items of fewer words are not looked for: they are in other documents by chance.
  uint64_t min_words = 8;
  /// The same for single benchmarks, by the name of the input.
  std::map<std::string, uint64_t, std::less<>> min_words_of;
  std::string item_field;     ///< The text of an item; empty: Options::text_field.
  std::string item_id_field;  ///< Its id; empty: Options::id_field.
};

/// The counts of one benchmark.
struct BenchmarkSummary {
  std::string name;  ///< The name of its input.
  uint64_t items = 0;
  uint64_t too_short = 0;    ///< Items that were not looked for.
  uint64_t found_items = 0;  ///< Items that some document has.
  uint64_t found = 0;        ///< Pairs of a document and an item.
};

struct ContaminationSummary {
  RecordCounts records;  ///< `removed_near`: documents that were left out.
  FieldNames fields;
  std::vector<BenchmarkSummary> benchmarks;
  uint64_t contaminated = 0;  ///< Documents with an item.
  uint64_t found = 0;         ///< Pairs of a document and an item.
  uint64_t cuts = 0;
  uint64_t cut_bytes = 0;  ///< Bytes of the texts, in UTF-8.
  uint64_t bytes_in = 0;   ///< Bytes of records, or of texts in columnar formats.
  double seconds = 0;
  double cpu_seconds = 0;
  uint64_t peak_memory_bytes = 0;
  uint64_t peak_scratch_bytes = 0;
};

/// Finds the items of the benchmarks (Options::against) of which a document has a share of the
/// features of Options::threshold or more, and writes what it found to the folder `output`
/// (docs/format/decontaminate-v1.md). Every such pair is found, and its share is exact. The
/// documents are read once; the benchmarks are in memory. Errors: no benchmark, benchmarks that
/// take more than a third of Options::memory, features other than runs of words, inputs that cannot
/// be cut, and an output that is in the way.
Result<ContaminationSummary> Decontaminate(const Inputs& inputs, const std::string& output,
                                           const ContaminationRules& rules, const Options& options,
                                           const Observer& observer = {});

}  // namespace lookalike

#endif  // LOOKALIKE_DECONTAMINATE_H_
