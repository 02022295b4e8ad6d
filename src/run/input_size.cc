#include "run/input_size.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/input_bytes.h"
#include "io/open_stream.h"
#include "stages/input/packing.h"
#include "stages/input/reader.h"

namespace lookalike {
namespace {

/// Maximum number of inputs to examine.
constexpr size_t kMostLooked = 256;

/// The number of places in an uncompressed file at which lines are counted, and the bytes of each
/// place.
constexpr uint64_t kPlaces = 8, kPlace = uint64_t{32} << 10;

/// Plain bytes decoded from a compressed file, in all and at a time. A block of bzip2, the largest
/// of any format, has 900 kB: at least one ends before the last byte.
constexpr uint64_t kDecoded = uint64_t{1} << 20, kStep = uint64_t{64} << 10;

/// Assumptions about an input that cannot be examined.
constexpr double kUsualExpansion = 4, kUsualRecord = 1000;

/// The bytes and documents seen in one or more inputs.
struct Seen {
  double packed = 0;     ///< Bytes of the file that were examined.
  double plain = 0;      ///< The same, decompressed.
  double counted = 0;    ///< Plain bytes in which documents are counted.
  double documents = 0;  ///< Number of documents counted in those bytes.

  void Add(const Seen& other) {
    packed += other.packed;
    plain += other.plain;
    counted += other.counted;
    documents += other.documents;
  }
  [[nodiscard]] double Expansion(double otherwise) const {
    return packed > 0 ? plain / packed : otherwise;
  }
  [[nodiscard]] double Density(double otherwise) const {
    return documents > 0 ? documents / counted : otherwise;
  }
};

/// Counts the ends of lines; in CSV only those outside quotes.
class LineCounter {
 public:
  explicit LineCounter(bool quotes) : quotes_(quotes) {}

  void Take(std::string_view bytes) {
    if (bytes.empty()) return;
    last_ = bytes.back();
    if (!quotes_) {
      lines_ += static_cast<uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
      return;
    }
    for (const char c : bytes) {
      inside_ ^= c == '"';
      lines_ += c == '\n' && !inside_;
    }
  }

  /// Returns the lines so far; with `at_end`, a line without an end counts as well.
  [[nodiscard]] double Lines(bool at_end) const {
    return static_cast<double>(lines_ + (at_end && last_ != '\n' ? 1 : 0));
  }

 private:
  bool quotes_, inside_ = false;
  char last_ = '\n';
  uint64_t lines_ = 0;
};

bool IsOneDocument(const InputFile& file) { return LayoutOf(file.format) == Layout::kWhole; }

bool HasLines(const InputFile& file) {
  return file.format == Format::kJsonLines || file.format == Format::kCsv;
}

/// Examines an uncompressed file of lines. Places after the front may begin in the middle of a
/// line, which averages out over many lines. CSV, which has quotes, is counted from the front only.
std::optional<Seen> LookAtLines(const InputFile& file) {
  const auto stored = OpenInputBytes(file);
  if (!stored) return std::nullopt;
  const uint64_t size = stored->size();
  const bool quotes = file.format == Format::kCsv;
  const bool whole = size <= kPlaces * kPlace;
  const uint64_t places = whole || quotes ? 1 : kPlaces;
  const uint64_t length = whole ? size : kPlaces * kPlace / places;
  LineCounter counter(quotes);
  std::string bytes(length, '\0');
  for (uint64_t i = 0; i < places; ++i) {
    const uint64_t middle = size / (2 * places) * (2 * i + 1);
    const uint64_t begin = places == 1 ? 0 : middle - length / 2;
    if (stored->ReadAt(begin, bytes.data(), length).value_or(0) < length) return std::nullopt;
    counter.Take(bytes);
  }
  const auto seen = static_cast<double>(places * length);
  return Seen{seen, seen, seen, counter.Lines(whole)};
}

/// Decodes the front of a compressed file. A decoder takes its input in blocks. The expansion is
/// measured up to the last block that was taken, none of whose bytes had been returned yet.
std::optional<Seen> LookAtFront(const InputFile& file, const ReadLimits& limits) {
  const auto stream = OpenInputStream(file, limits.max_expansion);
  if (!stream) return std::nullopt;
  LineCounter counter(file.format == Format::kCsv);
  std::string bytes(kStep, '\0');
  uint64_t plain = 0, packed = 0;
  Seen seen;
  for (bool more = true; more && plain < kDecoded;) {
    const auto got = (*stream)->Read(bytes.data(), bytes.size());
    if (!got) break;  // errors are reported when the file is read
    const uint64_t used = (*stream)->consumed();
    more = *got == bytes.size();
    if (used != packed && plain > 0) {
      seen.packed = static_cast<double>(packed);
      seen.plain = static_cast<double>(plain);
    }
    packed = used;
    plain += *got;
    counter.Take(std::string_view(bytes).substr(0, *got));
    seen.counted = static_cast<double>(plain);
    seen.documents = counter.Lines(!more);
    if (!more || seen.packed == 0) {
      seen.packed = static_cast<double>(packed);
      seen.plain = static_cast<double>(plain);
    }
  }
  return plain == 0 ? std::nullopt : std::optional(seen);
}

/// Reads records from the front, for formats in which only a reader can tell where a record begins.
/// The records of a block that is read as a whole arrive in several batches, so they are counted
/// when the block has ended.
std::optional<Seen> LookAtRecords(const InputFile& file, const FieldPaths& fields,
                                  const ReadLimits& limits) {
  constexpr int kMostBatches = 64;
  const auto reader = OpenInput(file, 0, fields, limits, ReadColumns::kFields);
  if (!reader) return std::nullopt;
  Seen ended, open;
  DocumentBatch batch;
  for (int i = 0; i < kMostBatches && ended.plain < static_cast<double>(kDecoded); ++i) {
    const auto more = (*reader)->Next(&batch);
    if (!more) break;
    const auto packed = static_cast<double>(batch.bytes_read);
    if (!*more || (packed != open.packed && open.packed > 0)) ended = open;
    if (!*more) break;
    open.packed = packed;
    open.plain =
        file.codec == Codec::kNone ? packed : static_cast<double>((*reader)->position().offset);
    open.counted = open.plain;
    open.documents += static_cast<double>(batch.documents.size() + batch.rejections.size());
  }
  return ended.packed > 0 ? std::optional(ended) : std::nullopt;
}

/// An estimator that examines inputs one by one, and estimates the remaining inputs from those.
class Estimator {
 public:
  Estimator(const InputList& inputs, const FieldPaths& fields, const ReadLimits& limits,
            uint64_t sketch_bytes)
      : inputs_(inputs),
        fields_(fields),
        limits_(limits),
        sketch_bytes_(static_cast<double>(std::max<uint64_t>(1, sketch_bytes))) {}

  InputSizes Run() {
    const std::vector<bool> chosen = Choose();
    sizes_.plain_bytes.resize(inputs_.size());
    std::vector<size_t> others;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!inputs_[i].problem.empty()) continue;
      if (!IsSaid(i) && (!chosen[i] || !LookAt(i))) others.push_back(i);
    }
    for (const size_t i : others) {
      const InputFile& file = inputs_[i];
      const auto key = std::pair(file.format, file.codec);
      const auto like = seen_.find(key);
      Take(i, like == seen_.end() ? Seen() : like->second);
    }
    sizes_.documents = static_cast<uint64_t>(documents_ + 0.5);
    return std::move(sizes_);
  }

 private:
  /// Returns the inputs to examine: all, or those that contain evenly spaced bytes of all inputs
  /// together.
  [[nodiscard]] std::vector<bool> Choose() const {
    std::vector<bool> chosen(inputs_.size(), inputs_.size() <= kMostLooked);
    if (inputs_.size() <= kMostLooked) return chosen;
    double all = 0, before = 0;
    for (const InputFile& file : inputs_) all += static_cast<double>(file.size);
    size_t next = 0;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      before += static_cast<double>(inputs_[i].size);
      while (next < kMostLooked &&
             before >= all * (static_cast<double>(next) + 0.5) / kMostLooked) {
        chosen[i] = true;
        ++next;
      }
    }
    return chosen;
  }

  /// Adds an input whose number of documents follows from its format; otherwise returns false.
  bool IsSaid(size_t i) {
    const InputFile& file = inputs_[i];
    if (file.format == Format::kSketches) {
      sizes_.plain_bytes[i] = file.size;
      documents_ += static_cast<double>(file.size) / sketch_bytes_;
      return true;
    }
    if (!IsOneDocument(file) || file.codec != Codec::kNone) return false;
    sizes_.plain_bytes[i] = file.size;
    documents_ += 1;
    return true;
  }

  /// Returns false if nothing was seen.
  bool LookAt(size_t i) {
    const InputFile& file = inputs_[i];
    std::optional<Seen> seen;
    if (const auto rows = StatedSizeOf(file)) {
      const auto bytes = static_cast<double>(rows->bytes);
      seen = Seen{static_cast<double>(file.size), bytes, bytes, static_cast<double>(rows->rows)};
      sizes_.plain_bytes[i] = rows->bytes;
      documents_ += static_cast<double>(rows->rows);
      seen_[{file.format, file.codec}].Add(*seen);
      return true;
    }
    if (HasLines(file)) {
      seen = file.codec == Codec::kNone ? LookAtLines(file) : LookAtFront(file, limits_);
    } else if (IsOneDocument(file)) {
      seen = LookAtFront(file, limits_);
    } else {
      seen = LookAtRecords(file, fields_, limits_);
    }
    if (!seen) return false;
    Take(i, *seen);
    seen_[{file.format, file.codec}].Add(*seen);
    return true;
  }

  /// Adds an input, estimated from what was seen of it or of similar inputs.
  void Take(size_t i, const Seen& seen) {
    const InputFile& file = inputs_[i];
    const double plain =
        static_cast<double>(file.size) * seen.Expansion(IsPacked(file) ? kUsualExpansion : 1);
    sizes_.plain_bytes[i] = static_cast<uint64_t>(plain + 0.5);
    documents_ += IsOneDocument(file) ? 1 : plain * seen.Density(1 / kUsualRecord);
  }

  const InputList& inputs_;
  const FieldPaths& fields_;
  const ReadLimits& limits_;
  double sketch_bytes_;
  InputSizes sizes_;
  double documents_ = 0;
  std::map<std::pair<Format, Codec>, Seen> seen_;  ///< Sums over similar inputs.
};

}  // namespace

bool IsPacked(const InputFile& file) {
  return file.codec != Codec::kNone || file.format == Format::kParquet;
}

uint64_t InputSizes::AllBytes() const {
  return std::accumulate(plain_bytes.begin(), plain_bytes.end(), uint64_t{0});
}

InputSizes EstimateSizes(const InputList& inputs, const FieldPaths& fields,
                         const ReadLimits& limits, uint64_t sketch_bytes) {
  return Estimator(inputs, fields, limits, sketch_bytes).Run();
}

}  // namespace lookalike
