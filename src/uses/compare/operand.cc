#include "uses/compare/operand.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "format/sketch_file.h"
#include "io/input_stream.h"
#include "options/delimiter_option.h"
#include "run/members.h"
#include "stages/input/reader.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

bool IsFile(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return !error && fs::exists(status) && !fs::is_directory(status);
}

// The target of an argument: a whole file, or the record `id` of a file.
struct Named {
  std::string file;
  bool is_record = false;
  std::string id;
};

// Splits an argument. An existing file takes precedence over a record; otherwise the file name ends
// at the first '#' for which the file exists, because ids may also contain a '#'.
Result<Named> ReadName(const std::string& argument) {
  if (IsFile(argument)) return Named{argument, false, {}};
  for (size_t at = argument.find('#'); at != std::string::npos; at = argument.find('#', at + 1)) {
    if (IsFile(argument.substr(0, at))) {
      return Named{argument.substr(0, at), true, argument.substr(at + 1)};
    }
  }
  return InputError("no such file; pass a text file, or FILE#ID for a record of a collection",
                    argument);
}

ReadLimits LimitsOf(const Options& options) {
  return {.max_record = options.max_record, .max_expansion = options.max_expansion};
}

Result<Operand> ReadTextFile(const std::string& path, const OperandForm& form,
                             const Options& options) {
  const bool is_page =
      form.pages == PageFiles::kAll || (form.pages == PageFiles::kByEnding && NamesPage(path));
  InputFile file;
  file.path = file.name = path;
  file.format = is_page ? Format::kHtml : Format::kText;
  LOOKALIKE_RETURN_IF_ERROR(CheckHoldsText(&file));
  LOOKALIKE_ASSIGN_OR_RETURN(
      auto reader, OpenInput(file, 0, form.fields, LimitsOf(options), ReadColumns::kFields));
  Operand read;
  DocumentBatch batch;
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader->Next(&batch));
    if (!more) break;
    if (!batch.rejections.empty()) return InputError(batch.rejections[0].reason, path);
    for (const Document& document : batch.documents) {
      read.text = document.text;
      read.kind = document.kind;
    }
  }
  if (!read.text.starts_with(kSketchFileMagic)) return read;
  return InputError("is a sketch file; pass one of its documents as FILE#ID", path);
}

Result<StoredSketch> SketchOf(const Document& document, StoredSketch like) {
  if (like.IsSample()) {
    CopyNumbers(document.sketch, &like.values);
  } else if (document.features != 0) {
    const auto count = static_cast<uint32_t>(like.coordinates.size());
    Unpack(document.sketch, count, like.bits, &like.coordinates);
    like.is_empty = false;
  }
  return like;
}

/// Returns the operand for a document.
Result<Operand> OperandOf(const Document& document, const InputFile& file,
                          const ReadLimits& limits) {
  if (file.format != Format::kSketches) return Operand{std::string(document.text), document.kind};
  LOOKALIKE_ASSIGN_OR_RETURN(StoredSketch like, ReadSketchFront(file, limits));
  LOOKALIKE_ASSIGN_OR_RETURN(StoredSketch sketch, SketchOf(document, std::move(like)));
  return Operand{
      {}, TextKind::kUnknown, StoredDocument{std::move(sketch), document.features}, file.place()};
}

Result<Operand> ReadRecord(const Named& named, const OperandForm& form, const Options& options) {
  const std::string arguments[] = {named.file};
  Discovery how;
  how.delimiter = *ParseDelimiter(options.delimiter);
  LOOKALIKE_ASSIGN_OR_RETURN(const FoundInputs found, DiscoverInputs(arguments, how));
  const InputList& files = found.files;
  const ReadLimits limits = LimitsOf(options);
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text_field, OnlyTextField(options));
  LOOKALIKE_ASSIGN_OR_RETURN(FieldPaths fields, ResolveFields(files, text_field, options.id_field,
                                                              {}, limits, form.fields.form));
  fields.weights = form.fields.weights;
  LOOKALIKE_ASSIGN_OR_RETURN(auto reader,
                             OpenInput(files[0], 0, fields, limits, ReadColumns::kFields));
  DocumentBatch batch;
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader->Next(&batch));
    if (!more) break;
    for (const Document& document : batch.documents) {
      if (IdOf(document, files[0].name) == named.id) return OperandOf(document, files[0], limits);
    }
  }
  if (files[0].format == Format::kSketches) {
    return InputError(fmt::format("no document in this sketch file has the id '{}'", named.id),
                      named.file);
  }
  return InputError(fmt::format("no record has the id '{}'; ids come from the field '{}' "
                                "($<id-field>), and a record without one has the id NAME:ROW",
                                named.id, fields.id),
                    named.file);
}

}  // namespace

Result<Operand> ReadOperand(const std::string& argument, const OperandForm& form,
                            const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Named named, ReadName(argument));
  LOOKALIKE_ASSIGN_OR_RETURN(Operand read, named.is_record
                                               ? ReadRecord(named, form, options)
                                               : ReadTextFile(named.file, form, options));
  if (!read.stored) read.place = argument;
  return read;
}

}  // namespace lookalike
