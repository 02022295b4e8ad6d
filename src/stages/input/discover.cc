#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "io/input_bytes.h"
#include "io/open_stream.h"
#include "io/output_stream.h"
#include "stages/input/columnar_source.h"
#include "stages/input/content_kind.h"
#include "stages/input/csv_record.h"
#include "stages/input/file_search.h"
#include "stages/input/format_readers.h"
#include "stages/input/format_table.h"
#include "stages/input/input_names.h"
#include "stages/input/object_inputs.h"
#include "stages/input/reader.h"

namespace lookalike {
namespace {

constexpr size_t kFrontBytes = 4096;
constexpr size_t kSpoolChunk = size_t{1} << 20;

// The way an input was given, which affects how much its content may decide about its format.
enum class Origin { kNamed, kSearched, kStandardInput };

Status CopyStandardInput(const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto spool, OutputStream::Create(path, Codec::kNone));
  const auto chunk = std::make_unique_for_overwrite<char[]>(kSpoolChunk);
  while (true) {
    const ssize_t got = read(STDIN_FILENO, chunk.get(), kSpoolChunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return InputError(fmt::format("cannot be read: {}", std::strerror(errno)), "stdin");
    if (got == 0) return spool->Close();
    LOOKALIKE_RETURN_IF_ERROR(spool->Write({chunk.get(), static_cast<size_t>(got)}));
  }
}

// The front of a file: its codec and its first plain bytes.
struct Opening {
  Codec codec = Codec::kNone;
  std::string front;
};

// Returns an empty front for a file that is broken at its beginning. That is reported when the file
// is read, when it can still be skipped.
Result<Opening> OpenFront(const InputFile& file) {
  Opening opening;
  const size_t most = file.size == 0 ? kFrontBytes : std::min<uint64_t>(kFrontBytes, file.size);
  LOOKALIKE_ASSIGN_OR_RETURN(opening.front, ReadRawFront(file, most));
  LOOKALIKE_ASSIGN_OR_RETURN(opening.codec, DetectCodec(file, opening.front));
  if (opening.codec == Codec::kNone) return opening;
  InputFile packed = file;
  packed.codec = opening.codec;
  const auto stream = OpenPlainBytes(packed, ReadLimits());
  if (!stream) return tl::make_unexpected(stream.error());
  opening.front.resize(kFrontBytes);
  opening.front.resize((*stream)->Read(opening.front.data(), kFrontBytes).value_or(0));
  return opening;
}

std::string_view WithoutBlanks(std::string_view front) {
  front.remove_prefix(ByteOrderMarkLength(front));
  front.remove_prefix(std::min(front.find_first_not_of(" \t\r\n"), front.size()));
  return front;
}

bool FormatOfMagic(std::string_view front, Format* format) {
  for (const FormatReader& reader : FormatReaders()) {
    if (reader.begins == nullptr || !reader.begins(front)) continue;
    *format = reader.format;
    return true;
  }
  return false;
}

/// Returns the format that a file's name shows, if it does.
std::optional<Format> FormatOfName(std::string_view name) {
  const std::string extension = ExtensionOf(name);
  return extension.empty() ? std::nullopt : FormatOfEnding(extension);
}

tl::unexpected<Error> UnknownStandardInput(std::string_view front) {
  std::string shown;
  for (const char byte : front.substr(0, 24)) {
    const bool plain = byte >= ' ' && byte <= '~';
    shown += plain ? std::string(1, byte) : fmt::format("\\x{:02x}", static_cast<uint8_t>(byte));
  }
  return InputError(
      fmt::format("expected JSON Lines, Parquet, Arrow IPC, WARC or a sketch file, found data that "
                  "begins with '{}'; for other formats pass a file",
                  shown),
      "stdin");
}

// True if the file is one array of objects. A line of JSON Lines may be an array too, but then it
// is not a record.
bool IsArrayOfObjects(std::string_view content) {
  if (!content.starts_with('[')) return false;
  content = WithoutBlanks(content.substr(1));
  return content.starts_with('{') || content.starts_with(']');
}

// Determines from the front everything that the format does not.
void LookCloser(std::string_view front, char delimiter, InputFile* file) {
  const std::string_view content = WithoutBlanks(front);
  if (file->format == Format::kCsv) {
    const char usual = ExtensionOf(file->name) == "tsv" ? '\t' : ',';
    front.remove_prefix(ByteOrderMarkLength(front));
    file->delimiter = delimiter != '\0' ? delimiter : FindDelimiter(front, usual);
  } else if (file->format == Format::kJsonLines) {
    const bool any = ExtensionOf(file->name) == "json" && content.starts_with('[');
    if (any || IsArrayOfObjects(content)) file->format = Format::kJsonArray;
  }
}

// Unmistakable content takes precedence over the file's name.
Status SetFormat(Origin origin, char delimiter, std::string_view front, InputFile* file) {
  const std::string_view content = WithoutBlanks(front);
  const std::optional<Format> named = FormatOfName(file->name);
  if (named) file->format = *named;
  if (FormatOfMagic(front, &file->format)) return {};
  if (origin == Origin::kStandardInput) {
    file->format = Format::kJsonLines;
    LookCloser(front, delimiter, file);
    const bool array = file->format == Format::kJsonArray;
    if (content.empty() || content.front() == '{' || array) return {};
    return UnknownStandardInput(content);
  }
  if (!named) {
    const bool json =
        origin == Origin::kNamed && (content.starts_with('{') || IsArrayOfObjects(content));
    file->format = json ? Format::kJsonLines : Format::kText;
  }
  // An empty file has no records, whatever the format.
  if (file->size == 0 && file->format != Format::kCsv && file->format != Format::kJsonLines) {
    file->format = Format::kText;
  }
  file->problem = WhyNoText(front, file->format, file->place());
  LookCloser(front, delimiter, file);
  return {};
}

// Determines codec and format. A file that cannot be opened, or does not hold text, gets a
// `problem`; DiscoverInputs decides if that is an error.
Status Describe(Origin origin, const Discovery& how, InputFile* file) {
  if (how.forms != nullptr) {
    if (const auto known = how.forms->find(file->place()); known != how.forms->end()) {
      const InputForm& form = known->second;
      file->format = form.format;
      file->codec = form.codec;
      file->delimiter = form.delimiter;
      file->problem = form.problem;
      return {};
    }
  }
  const Result<Opening> opening = OpenFront(*file);
  if (!opening) {
    file->problem = opening.error().what;
    return {};
  }
  file->codec = opening->codec;
  return SetFormat(origin, how.delimiter, opening->front, file);
}

InputFile Unreadable(std::string path, std::string name, std::string problem) {
  InputFile file;
  file.path = std::move(path);
  file.name = std::move(name);
  file.problem = std::move(problem);
  return file;
}

// Adds a file that was named explicitly.
Status AddNamed(Origin origin, const Discovery& how, const std::string& path, std::string name,
                InputList* files) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    files->Add(Unreadable(path, std::move(name),
                          fmt::format("cannot be read: {}; check the path", std::strerror(errno))));
    return {};
  }
  if (!S_ISREG(status.st_mode)) {
    return InputError(
        "is not a regular file, and inputs are read more than once; pipe it into standard input "
        "and pass - instead",
        path);
  }
  InputFile file;
  file.path = path;
  file.name = std::move(name);
  file.size = static_cast<uint64_t>(status.st_size);
  file.mtime_ns = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  file.is_stdin = origin == Origin::kStandardInput;
  LOOKALIKE_RETURN_IF_ERROR(Describe(origin, how, &file));
  files->Add(file);
  return {};
}

Status AddFound(const FoundFiles& found, const Discovery& how, FoundInputs* inputs) {
  inputs->left_out.Add(found.left_out);
  for (size_t i = 0; i < found.size(); ++i) {
    FoundFile each = found[i];
    InputFile file;
    file.path = std::move(each.path);
    file.name = std::move(each.name);
    file.size = each.size;
    file.mtime_ns = each.mtime_ns;
    file.found = true;
    if (each.error != 0) {
      file.problem = fmt::format("cannot be read: {}; check the path and its permissions",
                                 std::strerror(each.error));
    } else {
      LOOKALIKE_RETURN_IF_ERROR(Describe(Origin::kSearched, how, &file));
    }
    inputs->files.Add(file);
  }
  return {};
}

void AddTable(const std::string& name, const ArrowTable& table, InputList* files) {
  InputFile file;
  file.name = name;
  file.format = Format::kArrowFile;
  file.size = SizeOfTable(*table.table());
  file.table = table.table();
  files->Add(file);
}

// Returns an Error for a named input that cannot be read, unless unreadable inputs should be
// listed.
Status CheckReadable(const Discovery& how, const InputFile& file) {
  if (file.problem.empty() || file.found || how.unreadable == UnreadableInputs::kList) return {};
  return InputError(file.problem, file.place());
}

// Describes objects once they can be read.
Status DescribeObjects(const Discovery& how, const ObjectInputs& objects, InputList* files) {
  for (const size_t place : objects.places()) {
    InputFile file = (*files)[place];
    if (!file.problem.empty()) continue;
    if (!file.remote) {
      // The disk may store times less precisely than the store reports them.
      LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(file.path));
      file.mtime_ns = facts.mtime_ns;
    }
    LOOKALIKE_RETURN_IF_ERROR(
        Describe(file.found ? Origin::kSearched : Origin::kNamed, how, &file));
    if (const auto failure = StoreFailure(file)) return tl::make_unexpected(*failure);
    LOOKALIKE_RETURN_IF_ERROR(CheckReadable(how, file));
    files->Replace(place, file);
  }
  return {};
}

Status AddArgument(std::string argument, const Discovery& how, ObjectInputs* objects,
                   FoundInputs* inputs) {
  InputList* const files = &inputs->files;
  if (how.tables != nullptr) {
    if (const auto named = how.tables->find(argument); named != how.tables->end()) {
      AddTable(argument, named->second, files);
      return {};
    }
  }
  if (argument == "-") {
    const std::string path = how.spool_dir + "/stdin";
    if (how.standard_input == StandardInput::kOpen) {
      LOOKALIKE_RETURN_IF_ERROR(CopyStandardInput(path));
    }
    return AddNamed(Origin::kStandardInput, how, path, "stdin", files);
  }
  if (IsObjectUri(argument)) return objects->Add(argument, inputs);
  if (SchemeOf(argument) == "file") {
    LOOKALIKE_ASSIGN_OR_RETURN(argument, PathOfFileUri(argument));
  }
  struct stat status;
  if (stat(argument.c_str(), &status) == 0) {
    if (!S_ISDIR(status.st_mode)) {
      return AddNamed(Origin::kNamed, how, argument, std::string(BaseName(argument)), files);
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const auto found, ListFolder(argument, how.rules));
    return AddFound(found, how, inputs);
  }
  const int reason = errno;
  if (reason == ENOENT && IsPattern(argument)) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto found, MatchPattern(argument, how.rules));
    return AddFound(found, how, inputs);
  }
  if (argument.find("://") != std::string::npos) {
    return InputError(
        "is a URI with a scheme that is not supported; use s3://, gs:// or file:///, or copy the "
        "data to a "
        "local folder",
        argument);
  }
  files->Add(Unreadable(argument, std::string(BaseName(argument)),
                        reason == ENOENT ? std::string("no such file or folder; check the path")
                                         : fmt::format("cannot be read: {}; check its permissions",
                                                       std::strerror(reason))));
  return {};
}

}  // namespace

Status CheckHoldsText(InputFile* file) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Opening opening, OpenFront(*file));
  file->codec = opening.codec;
  Format other = file->format;
  if (FormatOfMagic(opening.front, &other)) return {};  // for the caller to report
  const std::string why = WhyNoText(opening.front, file->format, file->place());
  return why.empty() ? Status() : InputError(why, file->place());
}

bool NamesPage(std::string_view name) { return FormatOfName(name) == Format::kHtml; }

Result<FoundInputs> DiscoverInputs(std::span<const std::string> arguments, const Discovery& how) {
  if (arguments.empty()) {
    return InputError("no input given; pass files, folders, patterns, or - for standard input");
  }
  if (std::count(arguments.begin(), arguments.end(), "-") > 1) {
    return InputError("standard input (-) is passed twice; pass it once");
  }
  FoundInputs inputs;
  ObjectInputs objects(how);
  for (const std::string& argument : arguments) {
    const size_t before = inputs.files.size();
    LOOKALIKE_RETURN_IF_ERROR(AddArgument(argument, how, &objects, &inputs));
    for (size_t i = before; i < inputs.files.size(); ++i) {
      LOOKALIKE_RETURN_IF_ERROR(CheckReadable(how, inputs.files[i]));
    }
  }
  if (inputs.files.empty()) {
    return OptionError("$<include> and $<exclude> leave no file to read; check their patterns");
  }
  LOOKALIKE_RETURN_IF_ERROR(NameApart(arguments.size() > 1, &inputs.files));
  if (how.objects.use == ObjectUse::kList) return inputs;
  LOOKALIKE_RETURN_IF_ERROR(objects.Fetch(&inputs.files));
  LOOKALIKE_RETURN_IF_ERROR(DescribeObjects(how, objects, &inputs.files));
  return inputs;
}

}  // namespace lookalike
