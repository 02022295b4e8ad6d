// Precision and recall of a set of pairs or of removals. A ratio of 0 to 0 counts as 1: a result
// without pairs has no false pair, and if no pair is expected, none is missed. F1 is their harmonic
// mean, 0 if both are 0.
//
// A removal names only one of the pairs that justify it, and no pair of two removed documents. So
// removals are not a list of pairs: what counts is that at most one document of each true pair is
// kept.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "io/input_stream.h"
#include "io/open_stream.h"
#include "lookalike/lookalike.h"
#include "run/no_exceptions.h"

namespace lookalike {
namespace {

constexpr double kBinWidth = 0.05;
constexpr size_t kReadBytes = size_t{1} << 20;

// A reader of the lines of a file, without their line ends.
class LineReader {
 public:
  explicit LineReader(std::unique_ptr<InputStream> stream) : stream_(std::move(stream)) {}

  // Reads the next line, valid until the next call. Returns false after the last one.
  Result<bool> Next(std::string_view* line) {
    while (true) {
      const size_t end = buffer_.find('\n', searched_);
      if (end != std::string::npos) return Take(end, end + 1, line);
      if (at_end_) return begin_ < buffer_.size() && Take(buffer_.size(), buffer_.size(), line);
      LOOKALIKE_RETURN_IF_ERROR(Fill());
    }
  }

 private:
  bool Take(size_t end, size_t next, std::string_view* line) {
    *line = std::string_view(buffer_).substr(begin_, end - begin_);
    begin_ = searched_ = next;
    return true;
  }

  Status Fill() {
    buffer_.erase(0, begin_);
    begin_ = 0;
    searched_ = buffer_.size();
    buffer_.resize(searched_ + kReadBytes);
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got,
                               stream_->Read(buffer_.data() + searched_, kReadBytes));
    buffer_.resize(searched_ + got);
    at_end_ = got < kReadBytes;
    return {};
  }

  std::unique_ptr<InputStream> stream_;
  std::string buffer_;
  size_t begin_ = 0, searched_ = 0;
  bool at_end_ = false;
};

// A table that maps ids to numbers, the same for both files.
class IdTable {
 public:
  uint32_t NumberOf(std::string_view id) {
    return numbers_.try_emplace(std::string(id), static_cast<uint32_t>(numbers_.size()))
        .first->second;
  }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
};

// Returns one number for an unordered pair.
uint64_t PairOf(uint32_t x, uint32_t y) { return uint64_t{std::min(x, y)} << 32 | std::max(x, y); }

// The pairs of a file at or above a threshold, and the documents that it says were removed.
struct Scores {
  bool of_removals = false;
  std::unordered_map<uint64_t, double> resemblance;  // By pair (removed, witness).
  std::unordered_set<uint32_t> removed;              // Regardless of resemblance.

  // True if a true pair was found.
  [[nodiscard]] bool Finds(uint64_t pair) const {
    if (!of_removals) return resemblance.contains(pair);
    return removed.contains(static_cast<uint32_t>(pair >> 32)) ||
           removed.contains(static_cast<uint32_t>(pair));
  }
};

// One line of a pairs file or of removed.jsonl.
struct PairLine {
  bool is_removal = false;  // Removal of `a`, with witness `b`.
  std::string_view a, b;
  double resemblance = 0;
};

Result<PairLine> ParseLine(std::string_view line, simdjson::dom::parser* parser) {
  const auto malformed = [] {
    return InputError(
        "expected an object with string fields a and b (or id and duplicate_of) and a number "
        "resemblance; pass a pairs file, a removed.jsonl or the folder of a dedup run");
  };
  simdjson::dom::object object;
  if (parser->parse(line.data(), line.size()).get(object) != simdjson::SUCCESS) {
    return malformed();
  }
  PairLine pair;
  pair.is_removal = object["a"].get(pair.a) != simdjson::SUCCESS;
  if (pair.is_removal && object["id"].get(pair.a) != simdjson::SUCCESS) return malformed();
  if (object[pair.is_removal ? "duplicate_of" : "b"].get(pair.b) != simdjson::SUCCESS) {
    return malformed();
  }
  if (object["resemblance"].get(pair.resemblance) != simdjson::SUCCESS) return malformed();
  return pair;
}

constexpr std::string_view kRemovals = "removed.jsonl";

// Returns the file of pairs; for a dedup folder, the file of its removals.
std::filesystem::path PathOfPairs(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return path;
  return std::filesystem::path(path) / kRemovals;
}

void AddLine(const PairLine& line, double threshold, IdTable* ids, Scores* scores) {
  const uint32_t a = ids->NumberOf(line.a), b = ids->NumberOf(line.b);
  if (line.is_removal) scores->removed.insert(a);
  if (line.resemblance >= threshold) {
    scores->resemblance.try_emplace(PairOf(a, b), line.resemblance);
  }
}

Result<Scores> ReadScores(const std::string& argument, double threshold, IdTable* ids) {
  const std::filesystem::path file = PathOfPairs(argument);
  const std::string path = file.string();
  LOOKALIKE_ASSIGN_OR_RETURN(const Codec codec, DetectCodec(path));
  LOOKALIKE_ASSIGN_OR_RETURN(auto stream,
                             OpenInputStream(FileAt(path, codec), ReadLimits{}.max_expansion));
  LineReader lines(std::move(stream));
  simdjson::dom::parser parser;
  Scores scores;
  scores.of_removals = file.filename() == kRemovals;  // determined by the first line, if any
  std::string_view line;
  bool first = true;
  for (uint64_t row = 1;; ++row) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, lines.Next(&line));
    if (!more) return scores;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const Result<PairLine> pair = ParseLine(line, &parser);
    if (!pair) return AtPlace(pair.error(), fmt::format("{}:{}", path, row));
    if (first) scores.of_removals = pair->is_removal;
    first = false;
    if (pair->is_removal != scores.of_removals) {
      return InputError(
          "the file contains pairs and removals; pass a file with only one of the two",
          fmt::format("{}:{}", path, row));
    }
    AddLine(*pair, threshold, ids, &scores);
  }
}

// Rounds a bound such as 0.85 to the number that people would write, which removes errors of
// addition.
double Rounded(double x) { return std::round(x * 1e9) / 1e9; }

std::vector<Evaluation::Bin> MakeBins(double threshold) {
  std::vector<Evaluation::Bin> bins;
  for (double from = threshold; bins.empty() || from < 1 - 1e-9;) {
    const double to = std::min(1.0, Rounded(from + kBinWidth));
    bins.push_back({from, to, 0, 0});
    from = to;
  }
  return bins;
}

double Ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

Result<Evaluation> EvaluateUnguarded(const std::string& result, const std::string& truth,
                                     double threshold) {
  if (!(threshold >= 0 && threshold <= 1)) {
    return OptionError(fmt::format("$<threshold={}>: expected a number from 0 to 1", threshold));
  }
  IdTable ids;
  LOOKALIKE_ASSIGN_OR_RETURN(const Scores found, ReadScores(result, threshold, &ids));
  LOOKALIKE_ASSIGN_OR_RETURN(const Scores expected, ReadScores(truth, threshold, &ids));
  if (expected.of_removals) {
    return InputError(
        "$<truth> must be a pairs file, but this file lists removals; pass the true pairs", truth);
  }
  Evaluation evaluation;
  evaluation.of_removals = found.of_removals;
  evaluation.found = found.resemblance.size();
  evaluation.expected = expected.resemblance.size();
  evaluation.by_resemblance = MakeBins(threshold);
  std::vector<Evaluation::Bin>& bins = evaluation.by_resemblance;
  for (const auto& [pair, resemblance] : expected.resemblance) {
    const auto after = std::find_if(bins.begin() + 1, bins.end(), [&](const Evaluation::Bin& bin) {
      return resemblance < bin.from;
    });
    Evaluation::Bin& bin = *(after - 1);
    const bool is_found = found.Finds(pair);
    ++bin.expected;
    bin.found += is_found;
    evaluation.expected_found += is_found;
    evaluation.correct += found.resemblance.contains(pair);
  }
  evaluation.precision = Ratio(evaluation.correct, evaluation.found);
  evaluation.recall = Ratio(evaluation.expected_found, evaluation.expected);
  const double sum = evaluation.precision + evaluation.recall;
  evaluation.f1 = sum > 0 ? 2 * evaluation.precision * evaluation.recall / sum : 0;
  return evaluation;
}

}  // namespace

Result<Evaluation> Evaluate(const std::string& result, const std::string& truth, double threshold) {
  return WithoutExceptions([&] { return EvaluateUnguarded(result, truth, threshold); });
}

}  // namespace lookalike
