// Precision and recall of a set of pairs. Ratios of nothing to nothing are 1: a result without
// pairs has no false one, and where no pair is expected none is missed. F1 is their harmonic mean,
// 0 where both are 0.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <unordered_map>

#include "api/run.h"
#include "io/input_stream.h"
#include "lookalike/lookalike.h"

namespace lookalike {
namespace {

constexpr double kBinWidth = 0.05;
constexpr size_t kReadBytes = size_t{1} << 20;

// Lines of a file, without their ends.
class LineReader {
 public:
  explicit LineReader(std::unique_ptr<InputStream> stream) : stream_(std::move(stream)) {}

  // The next line, valid until the next call; false after the last one.
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

// Ids as numbers, the same for both files.
class IdTable {
 public:
  // One number for an unordered pair of ids.
  uint64_t PairOf(std::string_view a, std::string_view b) {
    const uint64_t x = NumberOf(a), y = NumberOf(b);
    return std::min(x, y) << 32 | std::max(x, y);
  }

 private:
  uint64_t NumberOf(std::string_view id) {
    return numbers_.try_emplace(std::string(id), numbers_.size()).first->second;
  }

  std::unordered_map<std::string, uint64_t> numbers_;
};

using Scores = std::unordered_map<uint64_t, double>;  // Pair -> resemblance.

// One line of a pairs file or of removed.jsonl.
struct PairLine {
  std::string_view a, b;
  double resemblance = 0;
};

Result<PairLine> ParseLine(std::string_view line, simdjson::dom::parser* parser) {
  const auto malformed = [] {
    return Fail(
        "expected an object with string fields a and b (or id and duplicate_of) and a "
        "number resemblance; give a pairs file or the folder of a dedup run");
  };
  simdjson::dom::object object;
  if (parser->parse(line.data(), line.size()).get(object) != simdjson::SUCCESS) {
    return malformed();
  }
  PairLine pair;
  const bool has_a = object["a"].get(pair.a) == simdjson::SUCCESS;
  if (!has_a && object["id"].get(pair.a) != simdjson::SUCCESS) return malformed();
  if (object[has_a ? "b" : "duplicate_of"].get(pair.b) != simdjson::SUCCESS) return malformed();
  if (object["resemblance"].get(pair.resemblance) != simdjson::SUCCESS) return malformed();
  return pair;
}

// A dedup folder stands for the pairs of its removed.jsonl.
std::string PairsPath(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return path;
  return (std::filesystem::path(path) / "removed.jsonl").string();
}

// The pairs of a file at or above the threshold, each once.
Result<Scores> ReadScores(const std::string& argument, double threshold, IdTable* ids) {
  const std::string path = PairsPath(argument);
  LOOKALIKE_ASSIGN_OR_RETURN(const Codec codec, DetectCodec(path));
  LOOKALIKE_ASSIGN_OR_RETURN(auto stream,
                             OpenInputStream(path, codec, ReadLimits{}.max_expansion, path));
  LineReader lines(std::move(stream));
  simdjson::dom::parser parser;
  Scores scores;
  std::string_view line;
  for (uint64_t row = 1;; ++row) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, lines.Next(&line));
    if (!more) return scores;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const Result<PairLine> pair = ParseLine(line, &parser);
    if (!pair) return Fail(pair.error().what, fmt::format("{}:{}", path, row));
    if (pair->resemblance >= threshold) {
      scores.try_emplace(ids->PairOf(pair->a, pair->b), pair->resemblance);
    }
  }
}

// Bounds such as 0.85 as people write them, free of what adding up leaves behind.
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
    return Fail(fmt::format("--threshold {}: expected a number from 0 to 1", threshold));
  }
  IdTable ids;
  LOOKALIKE_ASSIGN_OR_RETURN(const Scores found, ReadScores(result, threshold, &ids));
  LOOKALIKE_ASSIGN_OR_RETURN(const Scores expected, ReadScores(truth, threshold, &ids));
  Evaluation evaluation;
  evaluation.found = found.size();
  evaluation.expected = expected.size();
  evaluation.by_resemblance = MakeBins(threshold);
  std::vector<Evaluation::Bin>& bins = evaluation.by_resemblance;
  for (const auto& [pair, resemblance] : expected) {
    const auto after = std::find_if(bins.begin() + 1, bins.end(), [&](const Evaluation::Bin& bin) {
      return resemblance < bin.from;
    });
    Evaluation::Bin& bin = *(after - 1);
    const bool is_found = found.contains(pair);
    ++bin.expected;
    bin.found += is_found;
    evaluation.correct += is_found;
  }
  evaluation.precision = Ratio(evaluation.correct, evaluation.found);
  evaluation.recall = Ratio(evaluation.correct, evaluation.expected);
  const double sum = evaluation.precision + evaluation.recall;
  evaluation.f1 = sum > 0 ? 2 * evaluation.precision * evaluation.recall / sum : 0;
  return evaluation;
}

}  // namespace

Result<Evaluation> Evaluate(const std::string& result, const std::string& truth, double threshold) {
  return WithoutExceptions([&] { return EvaluateUnguarded(result, truth, threshold); });
}

}  // namespace lookalike
