#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "format/sketch_file.h"
#include "io/input_stream.h"
#include "io/output_stream.h"
#include "stages/input/columnar_source.h"
#include "stages/input/csv_record.h"
#include "stages/input/file_search.h"
#include "stages/input/format_readers.h"
#include "stages/input/object_inputs.h"
#include "stages/input/reader.h"
#include "stages/input/warc_record.h"

namespace lookalike {
namespace {

constexpr size_t kFrontBytes = 4096;
constexpr size_t kSpoolChunk = size_t{1} << 20;

// How an input was asked for: how much its content may say about its format depends on it.
enum class Origin { kNamed, kSearched, kStandardInput };

Status CopyStandardInput(const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto spool, OutputStream::Create(path, Codec::kNone));
  const auto chunk = std::make_unique_for_overwrite<char[]>(kSpoolChunk);
  while (true) {
    const ssize_t got = read(STDIN_FILENO, chunk.get(), kSpoolChunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Fail(fmt::format("cannot be read: {}", std::strerror(errno)), "stdin");
    if (got == 0) return spool->Close();
    LOOKALIKE_RETURN_IF_ERROR(spool->Write({chunk.get(), static_cast<size_t>(got)}));
  }
}

// The first plain bytes; fewer than asked for where the file is shorter.
Result<std::string> ReadFront(const InputFile& file) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto stream, OpenPlainBytes(file, ReadLimits()));
  std::string front(kFrontBytes, '\0');
  LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, stream->Read(front.data(), front.size()));
  front.resize(got);
  return front;
}

std::string_view WithoutBlanks(std::string_view front) {
  front.remove_prefix(ByteOrderMarkLength(front));
  front.remove_prefix(std::min(front.find_first_not_of(" \t\r\n"), front.size()));
  return front;
}

// A stream begins with a continuation marker and the length of the schema's metadata, a
// little-endian 32-bit number. The marker alone is no proof: any file may begin with such bytes.
bool IsArrowStream(std::string_view front) {
  constexpr uint32_t kMostMetadata = uint32_t{64} << 20;
  if (!front.starts_with("\xFF\xFF\xFF\xFF") || front.size() < 8) return false;
  uint32_t length = 0;
  for (size_t i = 8; i-- > 4;) length = length << 8 | static_cast<uint8_t>(front[i]);
  return length > 0 && length < kMostMetadata;
}

bool FormatOfMagic(std::string_view front, Format* format) {
  if (front.starts_with("PAR1")) {
    *format = Format::kParquet;
  } else if (front.starts_with("ARROW1")) {
    *format = Format::kArrowFile;
  } else if (IsArrowStream(front)) {
    *format = Format::kArrowStream;
  } else if (front.starts_with(kSketchFileMagic)) {
    *format = Format::kSketches;
  } else if (front.starts_with(kWarcMagic)) {
    *format = Format::kWarc;
  } else {
    return false;
  }
  return true;
}

bool FormatOfExtension(std::string_view extension, Format* format) {
  struct Known {
    std::string_view extension;
    Format format;
  };
  constexpr std::array<Known, 19> kKnown = {{{"jsonl", Format::kJsonLines},
                                             {"ndjson", Format::kJsonLines},
                                             {"json", Format::kJsonLines},
                                             {"csv", Format::kCsv},
                                             {"tsv", Format::kCsv},
                                             {"parquet", Format::kParquet},
                                             {"pq", Format::kParquet},
                                             {"arrow", Format::kArrowFile},
                                             {"feather", Format::kArrowFile},
                                             {"ipc", Format::kArrowFile},
                                             {"arrows", Format::kArrowStream},
                                             {"txt", Format::kText},
                                             {"text", Format::kText},
                                             {"md", Format::kText},
                                             {"html", Format::kHtml},
                                             {"htm", Format::kHtml},
                                             {"xhtml", Format::kHtml},
                                             {"warc", Format::kWarc},
                                             {"wet", Format::kWarc}}};
  for (const Known& known : kKnown) {
    if (known.extension != extension) continue;
    *format = known.format;
    return true;
  }
  return false;
}

tl::unexpected<Error> UnknownStandardInput(std::string_view front) {
  std::string shown;
  for (const char byte : front.substr(0, 24)) {
    const bool plain = byte >= ' ' && byte <= '~';
    shown += plain ? std::string(1, byte) : fmt::format("\\x{:02x}", static_cast<uint8_t>(byte));
  }
  return Fail(
      fmt::format("expected JSON Lines, Parquet, Arrow IPC, WARC or a sketch file, found data that "
                  "begins with '{}'; for other formats name a file",
                  shown),
      "stdin");
}

// Whether the file is one array of objects. A line of JSON Lines may be an array, too, but is no
// record then.
bool IsArrayOfObjects(std::string_view content) {
  if (!content.starts_with('[')) return false;
  content = WithoutBlanks(content.substr(1));
  return content.starts_with('{') || content.starts_with(']');
}

// Of a file whose front is known, what its format does not say.
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

// Content that cannot be mistaken goes before the file's name.
Status SetFormat(Origin origin, char delimiter, InputFile* file) {
  // A file that is broken right at its front is reported when it is read, where it may be skipped.
  const std::string front = ReadFront(*file).value_or(std::string());
  const std::string_view content = WithoutBlanks(front);
  const bool known = FormatOfExtension(ExtensionOf(file->name), &file->format);
  if (FormatOfMagic(front, &file->format)) return {};
  if (origin == Origin::kStandardInput) {
    file->format = Format::kJsonLines;
    LookCloser(front, delimiter, file);
    const bool array = file->format == Format::kJsonArray;
    if (content.empty() || content.front() == '{' || array) return {};
    return UnknownStandardInput(content);
  }
  if (!known) {
    const bool json =
        origin == Origin::kNamed && (content.starts_with('{') || IsArrayOfObjects(content));
    file->format = json ? Format::kJsonLines : Format::kText;
  }
  // Without a byte there is no record, whatever the format.
  if (file->size == 0 && file->format != Format::kCsv && file->format != Format::kJsonLines) {
    file->format = Format::kText;
  }
  LookCloser(front, delimiter, file);
  return {};
}

Result<InputFile> Describe(Origin origin, const Discovery& how, const struct stat& status,
                           std::string path, std::string name) {
  if (!S_ISREG(status.st_mode)) {
    return Fail(
        "is not a regular file, and inputs are read more than once; pipe its bytes into "
        "standard input and name it -",
        path);
  }
  InputFile file;
  file.path = std::move(path);
  file.name = std::move(name);
  file.size = static_cast<uint64_t>(status.st_size);
  file.mtime_ns = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  LOOKALIKE_ASSIGN_OR_RETURN(file.codec, DetectCodec(file.path));
  LOOKALIKE_RETURN_IF_ERROR(SetFormat(origin, how.delimiter, &file));
  return file;
}

// A file that cannot be looked at; whether that is an error is for DiscoverInputs to say.
void AddUnreadable(std::string path, std::string name, std::string problem,
                   std::vector<InputFile>* files) {
  InputFile& file = files->emplace_back();
  file.path = std::move(path);
  file.name = std::move(name);
  file.problem = std::move(problem);
}

Status AddFile(Origin origin, const Discovery& how, std::string path, std::string name,
               std::vector<InputFile>* files) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    std::string problem = fmt::format("cannot be read: {}; check the path", std::strerror(errno));
    AddUnreadable(std::move(path), std::move(name), std::move(problem), files);
    return {};
  }
  if (S_ISREG(status.st_mode) && access(path.c_str(), R_OK) != 0) {
    std::string problem =
        fmt::format("cannot be read: {}; check its permissions", std::strerror(errno));
    AddUnreadable(std::move(path), std::move(name), std::move(problem), files);
    return {};
  }
  LOOKALIKE_ASSIGN_OR_RETURN(InputFile file,
                             Describe(origin, how, status, std::move(path), std::move(name)));
  files->push_back(std::move(file));
  return {};
}

Status AddFound(const Discovery& how, std::vector<FoundFile> found, std::vector<InputFile>* files) {
  files->reserve(files->size() + found.size());
  for (FoundFile& file : found) {
    LOOKALIKE_RETURN_IF_ERROR(
        AddFile(Origin::kSearched, how, std::move(file.path), std::move(file.name), files));
  }
  return {};
}

void AddTable(const std::string& name, const ArrowTable& table, std::vector<InputFile>* files) {
  InputFile& file = files->emplace_back();
  file.name = name;
  file.format = Format::kArrowFile;
  file.size = SizeOfTable(*table.table());
  file.table = table.table();
}

// Objects are described once their copies are there.
Status DescribeObjects(const ObjectInputs& objects, const Discovery& how,
                       std::vector<InputFile>* files) {
  for (const ObjectInputs::Place& place : objects.places()) {
    InputFile& file = (*files)[place.file];
    if (!file.problem.empty()) continue;
    // The disk may keep times less exactly than the store tells them.
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(file.path));
    file.mtime_ns = facts.mtime_ns;
    LOOKALIKE_ASSIGN_OR_RETURN(file.codec, DetectCodec(file.path));
    LOOKALIKE_RETURN_IF_ERROR(
        SetFormat(place.named ? Origin::kNamed : Origin::kSearched, how.delimiter, &file));
  }
  return {};
}

Status AddArgument(std::string argument, const Discovery& how, ObjectInputs* objects,
                   std::vector<InputFile>* files) {
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
    return AddFile(Origin::kStandardInput, how, path, "stdin", files);
  }
  if (IsObjectUri(argument)) return objects->Add(argument, files);
  if (SchemeOf(argument) == "file") {
    LOOKALIKE_ASSIGN_OR_RETURN(argument, PathOfFileUri(argument));
  }
  struct stat status;
  if (stat(argument.c_str(), &status) == 0) {
    if (!S_ISDIR(status.st_mode)) {
      return AddFile(Origin::kNamed, how, argument, std::string(BaseName(argument)), files);
    }
    LOOKALIKE_ASSIGN_OR_RETURN(auto found, ListFolder(argument));
    return AddFound(how, std::move(found), files);
  }
  const int reason = errno;
  if (reason == ENOENT && IsPattern(argument)) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto found, MatchPattern(argument));
    return AddFound(how, std::move(found), files);
  }
  if (argument.find("://") != std::string::npos) {
    return Fail(
        "is a URI of a kind that is not read; give s3://, gs:// or file:///, or copy the data to a "
        "local folder",
        argument);
  }
  AddUnreadable(argument, std::string(BaseName(argument)),
                reason == ENOENT ? std::string("no such file or folder; check the path")
                                 : fmt::format("cannot be read: {}; check its permissions",
                                               std::strerror(reason)),
                files);
  return {};
}

// The first input that cannot be read, where that is an error.
Status CheckReadable(const Discovery& how, std::span<const InputFile> files) {
  if (how.unreadable == UnreadableInputs::kList) return {};
  const auto bad = std::find_if(files.begin(), files.end(),
                                [](const InputFile& file) { return !file.problem.empty(); });
  return bad == files.end() ? Status() : Status(Fail(bad->problem, bad->place()));
}

tl::unexpected<Error> SameName(const InputFile& first, const InputFile& second) {
  if (first.path == second.path) return Fail("is given twice; name it once", first.place());
  return Fail(
      fmt::format("two inputs are named {}: {} and {}; rename one, or name the folder above "
                  "both",
                  second.name, first.place(), second.place()));
}

// Names become paths below one folder, so a file's name may not be a folder's either.
Status CheckNames(const std::vector<InputFile>& files) {
  std::unordered_map<std::string_view, const InputFile*> by_name;
  by_name.reserve(files.size());
  for (const InputFile& file : files) {
    const auto [place, fresh] = by_name.emplace(file.name, &file);
    if (!fresh) return SameName(*place->second, file);
  }
  for (const InputFile& file : files) {
    const std::string_view name = file.name;
    for (size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1)) {
      const auto found = by_name.find(name.substr(0, slash));
      if (found == by_name.end()) continue;
      return Fail(fmt::format("the input {} is named like the folder of the input {}; rename one",
                              found->second->place(), file.place()));
    }
  }
  return {};
}

}  // namespace

bool NamesPage(std::string_view name) {
  Format format = Format::kText;
  return FormatOfExtension(ExtensionOf(name), &format) && format == Format::kHtml;
}

Result<std::vector<InputFile>> DiscoverInputs(std::span<const std::string> arguments,
                                              const Discovery& how) {
  if (arguments.empty()) {
    return Fail("no input is named; name files, folders, patterns, or - for standard input");
  }
  if (std::count(arguments.begin(), arguments.end(), "-") > 1) {
    return Fail("standard input (-) is named twice; name it once");
  }
  std::vector<InputFile> files;
  ObjectInputs objects(how);
  for (const std::string& argument : arguments) {
    const size_t before = files.size();
    LOOKALIKE_RETURN_IF_ERROR(AddArgument(argument, how, &objects, &files));
    LOOKALIKE_RETURN_IF_ERROR(CheckReadable(how, std::span(files).subspan(before)));
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckNames(files));
  if (!how.objects.fetch) return files;
  LOOKALIKE_RETURN_IF_ERROR(objects.Fetch(&files));
  LOOKALIKE_RETURN_IF_ERROR(DescribeObjects(objects, how, &files));
  return files;
}

}  // namespace lookalike
