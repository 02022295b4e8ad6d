#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "api/compare_sketches.h"
#include "api/passages.h"
#include "api/run.h"
#include "batch/members.h"
#include "batch/sketch_inputs.h"
#include "format/sketch_file.h"
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

/// A text and whether it is a page, or a document of a sketch file.
struct Operand {
  std::string text;
  TextKind kind = TextKind::kUnknown;
  std::optional<StoredDocument> stored = {};
  std::string place = {};  ///< Of the sketch file; of a text what messages call it.
};

/// How the texts are read, whichever fields they are in.
FieldPaths FormOf(const FeatureSpec& spec) {
  FieldPaths fields;
  fields.form = FormOfTexts(spec);
  fields.weights = WeightsOfItems(spec);
  return fields;
}

// By its ending, or as all texts are taken for pages.
bool IsPage(const std::string& path, const FeatureSpec& spec) {
  return NamesPage(path) || AppliedMode(spec.pages, TextKind::kUnknown) != HtmlMode::kOff;
}

Result<Operand> ReadTextFile(const std::string& path, const FeatureSpec& spec,
                             const Options& options) {
  InputFile file;
  file.path = file.name = path;
  file.format = IsPage(path, spec) ? Format::kHtml : Format::kText;
  LOOKALIKE_ASSIGN_OR_RETURN(file.codec, DetectCodec(path));
  LOOKALIKE_ASSIGN_OR_RETURN(
      auto reader, OpenInput(file, 0, FormOf(spec), LimitsOf(options), ReadColumns::kFields));
  Operand read;
  DocumentBatch batch;
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader->Next(&batch));
    if (!more) break;
    if (!batch.rejections.empty()) return Fail(batch.rejections[0].reason, path);
    for (const Document& document : batch.documents) {
      read.text = document.text;
      read.kind = document.kind;
    }
  }
  if (!read.text.starts_with(kSketchFileMagic)) return read;
  return Fail("is a sketch file; name one of its documents as FILE#ID", path);
}

// The id that results give to a document.
std::string IdOf(const Document& document, const InputFile& file) {
  if (document.has_id) return std::string(document.id);
  return FallbackId(file, document.row);
}

Result<StoredSketch> SketchOf(const Document& document, StoredSketch like) {
  if (like.IsSample()) {
    like.values.resize(document.sketch.size() / sizeof(uint64_t));
    std::memcpy(like.values.data(), document.sketch.data(), document.sketch.size());
  } else if (document.features != 0) {
    const auto count = static_cast<uint32_t>(like.coordinates.size());
    Unpack(document.sketch, count, like.bits, &like.coordinates);
    like.is_empty = false;
  }
  return like;
}

/// The side that a document is.
Result<Operand> OperandOf(const Document& document, const InputFile& file,
                          const ReadLimits& limits) {
  if (file.format != Format::kSketches) return Operand{std::string(document.text), document.kind};
  LOOKALIKE_ASSIGN_OR_RETURN(StoredSketch like, ReadSketchFront(file, limits));
  LOOKALIKE_ASSIGN_OR_RETURN(StoredSketch sketch, SketchOf(document, std::move(like)));
  return Operand{
      {}, TextKind::kUnknown, StoredDocument{std::move(sketch), document.features}, file.place()};
}

Result<Operand> ReadRecord(const Named& named, const FeatureSpec& spec, const Options& options) {
  const std::string arguments[] = {named.file};
  LOOKALIKE_ASSIGN_OR_RETURN(const auto files, DiscoverInputs(arguments, {}));
  const ReadLimits limits = LimitsOf(options);
  const FieldPaths form = FormOf(spec);
  LOOKALIKE_ASSIGN_OR_RETURN(
      FieldPaths fields,
      ResolveFields(files, options.text_field, options.id_field, {}, limits, form.form));
  fields.weights = form.weights;
  LOOKALIKE_ASSIGN_OR_RETURN(auto reader,
                             OpenInput(files[0], 0, fields, limits, ReadColumns::kFields));
  DocumentBatch batch;
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader->Next(&batch));
    if (!more) break;
    for (const Document& document : batch.documents) {
      if (IdOf(document, files[0]) == named.id) return OperandOf(document, files[0], limits);
    }
  }
  if (files[0].format == Format::kSketches) {
    return Fail(fmt::format("no document in this sketch file has the id '{}'", named.id),
                named.file);
  }
  return Fail(fmt::format("no record has the id '{}'; ids come from the field '{}' (--id-field), "
                          "and are NAME:ROW where a record has none",
                          named.id, fields.id),
              named.file);
}

Result<Operand> ReadNamed(const std::string& argument, const FeatureSpec& spec,
                          const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Named named, ReadName(argument));
  if (named.is_record) return ReadRecord(named, spec, options);
  return ReadTextFile(named.file, spec, options);
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

/// The features of a comparison with these options, which are checked.
Result<FeatureSpec> CheckOptions(const Options& options) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  if (options.verify == "exact" || options.verify == "sketch") return ReadFeatureSpec(options);
  return Fail("--verify '" + options.verify + "' is for collections; give exact or sketch");
}

/// The options for texts that pages were read to already.
Options OfReadText(Options options) {
  options.pages = "off";
  return options;
}

/// The sketch of a side; a text is sketched as `like` was.
Result<StoredDocument> Stored(const Operand& side, const Operand& like, const Options& options) {
  if (side.stored) return *side.stored;
  LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec spec, ReadSetSpec(options));
  LOOKALIKE_RETURN_IF_ERROR(CheckText(spec, side.text));
  FeatureExtractor extractor(spec);
  std::vector<uint64_t> set;
  MakeFeatureSet(extractor.Features(side.text, side.kind), &set);
  PageReader pages(spec.PagesToRead());
  const CountedText read = {pages.Read(side.text, side.kind), set.size(), ToString(spec)};
  return StoreLike(like.stored->sketch, like.place, read, OfReadText(options));
}

/// Compares two sides of which one at least is a sketch.
Result<Comparison> CompareStoredOperands(const Operand& a, const Operand& b,
                                         const Options& options) {
  const Operand& like = a.stored ? a : b;
  auto name = SketchNameOf(like.stored->sketch);
  if (!name) return Fail(std::move(name).error().what, like.place);
  LOOKALIKE_ASSIGN_OR_RETURN(const Options adopted,
                             AdoptSketches(like.stored->sketch, *name, options, like.place));
  LOOKALIKE_ASSIGN_OR_RETURN(const StoredDocument of_a, Stored(a, like, adopted));
  LOOKALIKE_ASSIGN_OR_RETURN(const StoredDocument of_b, Stored(b, like, adopted));
  LOOKALIKE_ASSIGN_OR_RETURN(Comparison result, CompareStored(of_a, of_b));
  result.text_a = RepairUtf8(a.text);
  result.text_b = RepairUtf8(b.text);
  return result;
}

Status CheckSide(const Operand& side, const FeatureSpec& spec) {
  const Status status = CheckText(spec, side.text);
  return status ? status : Status(Fail(status.error().what, side.place));
}

Result<Comparison> CompareOperands(const Operand& a, const Operand& b, const FeatureSpec& spec,
                                   const Options& options) {
  if (const size_t longer = std::max(a.text.size(), b.text.size());
      longer > kLargestTextWithSpans) {
    return Fail(fmt::format("a text of {} bytes is too long to compare; the limit is {}", longer,
                            kLargestTextWithSpans));
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckSide(a, spec));
  LOOKALIKE_RETURN_IF_ERROR(CheckSide(b, spec));
  if (options.verify == "sketch") {
    PageReader pages_a(spec.PagesToRead()), pages_b(spec.PagesToRead());
    LOOKALIKE_ASSIGN_OR_RETURN(Comparison estimated,
                               CompareSketches(pages_a.Read(a.text, a.kind),
                                               pages_b.Read(b.text, b.kind), OfReadText(options)));
    estimated.text_a = RepairUtf8(a.text);
    estimated.text_b = RepairUtf8(b.text);
    return estimated;
  }
  const auto units_a = ReadUnits(a.text, spec, a.kind);
  const auto units_b = ReadUnits(b.text, spec, b.kind);
  std::vector<uint64_t> set_a, set_b;
  MakeFeatureSet(units_a->features, &set_a);
  MakeFeatureSet(units_b->features, &set_b);
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
  result.text_a = RepairUtf8(a.text);
  result.text_b = RepairUtf8(b.text);
  return result;
}

}  // namespace

Result<Comparison> CompareTexts(std::string_view a, std::string_view b, const Options& options) {
  return WithoutExceptions([&]() -> Result<Comparison> {
    LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec spec, CheckOptions(options));
    return CompareOperands({std::string(a), TextKind::kUnknown, {}, "the first text"},
                           {std::string(b), TextKind::kUnknown, {}, "the second text"}, spec,
                           options);
  });
}

Result<Comparison> Compare(const std::string& a, const std::string& b, const Options& options) {
  return WithoutExceptions([&]() -> Result<Comparison> {
    LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec spec, CheckOptions(options));
    LOOKALIKE_ASSIGN_OR_RETURN(Operand of_a, ReadNamed(a, spec, options));
    LOOKALIKE_ASSIGN_OR_RETURN(Operand of_b, ReadNamed(b, spec, options));
    if (of_a.stored || of_b.stored) return CompareStoredOperands(of_a, of_b, options);
    of_a.place = a;
    of_b.place = b;
    return CompareOperands(of_a, of_b, spec, options);
  });
}

}  // namespace lookalike
