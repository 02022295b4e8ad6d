#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "api/compare_sketches.h"
#include "api/passages.h"
#include "api/run.h"
#include "batch/members.h"
#include "io/input_stream.h"
#include "lookalike/lookalike.h"
#include "options/feature_options.h"
#include "stages/input/reader.h"
#include "stages/normalize/normalizer.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

bool IsFile(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return !error && fs::exists(status) && !fs::is_directory(status);
}

// What an argument names: a whole file, or the record `id` of one.
struct Named {
  std::string file;
  bool is_record = false;
  std::string id;
};

// An existing file wins over a record; else the first '#' after an existing file ends its name, as
// ids may hold a '#' too.
Result<Named> ReadName(const std::string& argument) {
  if (IsFile(argument)) return Named{argument, false, {}};
  for (size_t at = argument.find('#'); at != std::string::npos; at = argument.find('#', at + 1)) {
    if (IsFile(argument.substr(0, at))) {
      return Named{argument.substr(0, at), true, argument.substr(at + 1)};
    }
  }
  return Fail("no such file; give a text file, or FILE#ID for a record of a collection", argument);
}

ReadLimits LimitsOf(const Options& options) {
  return {.max_record = options.max_record, .max_expansion = options.max_expansion};
}

Result<std::string> ReadTextFile(const std::string& path, const Options& options) {
  InputFile file;
  file.path = file.name = path;
  file.format = Format::kText;
  LOOKALIKE_ASSIGN_OR_RETURN(file.codec, DetectCodec(path));
  LOOKALIKE_ASSIGN_OR_RETURN(
      auto reader, OpenInput(file, 0, FieldPaths{}, LimitsOf(options), ReadColumns::kFields));
  std::string text;
  DocumentBatch batch;
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader->Next(&batch));
    if (!more) return text;
    if (!batch.rejections.empty()) return Fail(batch.rejections[0].reason, path);
    for (const Document& document : batch.documents) text += document.text;
  }
}

// The id that results give to a document.
std::string IdOf(const Document& document, const InputFile& file) {
  if (document.has_id) return std::string(document.id);
  return FallbackId(file, document.row);
}

Result<std::string> ReadRecord(const Named& named, const Options& options) {
  const std::string arguments[] = {named.file};
  LOOKALIKE_ASSIGN_OR_RETURN(const auto files, DiscoverInputs(arguments, {}));
  const ReadLimits limits = LimitsOf(options);
  LOOKALIKE_ASSIGN_OR_RETURN(const FieldPaths fields, ResolveFields(files, options.text_field,
                                                                    options.id_field, {}, limits));
  LOOKALIKE_ASSIGN_OR_RETURN(auto reader,
                             OpenInput(files[0], 0, fields, limits, ReadColumns::kFields));
  DocumentBatch batch;
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader->Next(&batch));
    if (!more) break;
    for (const Document& document : batch.documents) {
      if (IdOf(document, files[0]) == named.id) return std::string(document.text);
    }
  }
  return Fail(fmt::format("no record has the id '{}'; ids come from the field '{}' (--id-field), "
                          "and are NAME:ROW where a record has none",
                          named.id, fields.id),
              named.file);
}

Result<std::string> ReadNamed(const std::string& argument, const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Named named, ReadName(argument));
  return named.is_record ? ReadRecord(named, options) : ReadTextFile(named.file, options);
}

double Ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

uint64_t CountShared(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  uint64_t common = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const bool first = a[i] <= b[j], second = b[j] <= a[i];
    common += first && second;
    i += first;
    j += second;
  }
  return common;
}

// One side of a comparison, and what messages call it.
struct NamedText {
  std::string_view text;
  std::string name;

  [[nodiscard]] Status Check(const FeatureSpec& spec) const {
    const Status status = CheckText(spec, text);
    return status ? status : Status(Fail(status.error().what, name));
  }
};

Result<Comparison> CompareUnguarded(const NamedText& named_a, const NamedText& named_b,
                                    const Options& options) {
  const std::string_view a = named_a.text, b = named_b.text;
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec spec, ReadFeatureSpec(options));
  if (const size_t longer = std::max(a.size(), b.size()); longer > kLargestTextWithSpans) {
    return Fail(fmt::format("a text of {} bytes is too long to compare; the limit is {}", longer,
                            kLargestTextWithSpans));
  }
  LOOKALIKE_RETURN_IF_ERROR(named_a.Check(spec));
  LOOKALIKE_RETURN_IF_ERROR(named_b.Check(spec));
  const auto units_a = ReadUnits(a, spec), units_b = ReadUnits(b, spec);
  std::vector<uint64_t> set_a, set_b;
  MakeFeatureSet(units_a->features, &set_a);
  MakeFeatureSet(units_b->features, &set_b);
  if (options.verify == "sketch") {
    LOOKALIKE_ASSIGN_OR_RETURN(Comparison estimated, CompareSketches(set_a, set_b, options));
    estimated.text_a = RepairUtf8(a);
    estimated.text_b = RepairUtf8(b);
    return estimated;
  }
  Comparison result;
  result.size_a = set_a.size();
  result.size_b = set_b.size();
  result.common = CountShared(set_a, set_b);
  result.size_union = result.size_a + result.size_b;
  if (spec.bag != Bag::kSum) result.size_union -= result.common;
  result.resemblance = Ratio(result.common, result.size_union);
  result.containment_ab = Ratio(result.common, result.size_a);
  result.containment_ba = Ratio(result.common, result.size_b);
  result.passages = SharedPassages(*units_a, *units_b, spec);
  result.text_a = RepairUtf8(a);
  result.text_b = RepairUtf8(b);
  return result;
}

}  // namespace

Result<Comparison> CompareTexts(std::string_view a, std::string_view b, const Options& options) {
  return WithoutExceptions([&] {
    return CompareUnguarded({a, "the first text"}, {b, "the second text"}, options);
  });
}

Result<Comparison> Compare(const std::string& a, const std::string& b, const Options& options) {
  return WithoutExceptions([&]() -> Result<Comparison> {
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string text_a, ReadNamed(a, options));
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string text_b, ReadNamed(b, options));
    return CompareUnguarded({text_a, a}, {text_b, b}, options);
  });
}

}  // namespace lookalike
