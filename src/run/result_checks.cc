#include "run/result_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "format/json_text.h"
#include "io/file_system.h"
#include "io/file_tree.h"
#include "io/output_stream.h"
#include "io/whole_file.h"
#include "run/edge_hash.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 3> kFolders = {"kept/", "annotated/", "rejected/"};

std::string Hex(uint64_t number) { return fmt::format("{:016x}", number); }

std::optional<uint64_t> FromHex(const std::string& text) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number, 16);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

/// Appends `"key": "name"`. File names may be any bytes, but JSON is text, so names that are not
/// UTF-8 are written in hexadecimal digits.
void AppendName(const std::string& key, const std::string& name, std::string* line) {
  if (CountValidPrefix(name) == name.size()) {
    *line += "\"" + key + "\": ";
    AppendJsonString(line, name);
    return;
  }
  *line += "\"" + key + "_hex\": \"";
  for (const char byte : name) *line += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  *line += "\"";
}

/// Returns the name that AppendName() wrote; nothing if there is none with this key.
std::optional<std::string> ReadName(const Json& line, const std::string& key) {
  if (line.contains(key)) return line.at(key).get<std::string>();
  if (!line.contains(key + "_hex")) return std::nullopt;
  const auto digits = line.at(key + "_hex").get<std::string>();
  std::string name;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    name += static_cast<char>(FromHex(digits.substr(i, 2)).value());
  }
  return name;
}

std::string LineOf(const CheckedInput& input) {
  std::string line = "{";
  AppendName("input", input.name, &line);
  line += fmt::format(", \"bytes\": {}", input.bytes);
  if (input.mtime_ns) line += fmt::format(", \"mtime_ns\": {}", *input.mtime_ns);
  if (input.edges) line += ", \"edges_xxh3\": \"" + Hex(*input.edges) + "\"";
  return line + "}\n";
}

std::string LineOf(const ResultFile& file) {
  std::string line = "{";
  AppendName("file", file.name, &line);
  return line + fmt::format(", \"bytes\": {}, \"xxh3\": \"{}\"}}\n", file.content.bytes,
                            Hex(file.content.xxh3));
}

/// Returns the number. Throws if it is not whole: get() would convert a fraction of any size.
uint64_t WholeNumber(const Json& value) { return value.get_ref<const Json::number_unsigned_t&>(); }

/// Takes a line by its first key. Throws if it is not what LineOf() writes.
void TakeLine(const Json& line, ResultChecks* checks) {
  if (const auto input = ReadName(line, "input")) {
    CheckedInput& added = checks->inputs.emplace_back();
    added.name = *input;
    added.bytes = WholeNumber(line.at("bytes"));
    if (line.contains("mtime_ns")) {
      added.mtime_ns = line.at("mtime_ns").get_ref<const Json::number_integer_t&>();
    }
    if (line.contains("edges_xxh3")) added.edges = FromHex(line.at("edges_xxh3")).value();
  } else if (const auto file = ReadName(line, "file")) {
    checks->files.push_back(
        {*file, {WholeNumber(line.at("bytes")), FromHex(line.at("xxh3")).value()}});
  } else {
    checks->manifest = FromHex(line.at("manifest_xxh3")).value();
  }
}

tl::unexpected<Error> FailDamaged() {
  return CorruptError("is damaged; choose another output, or pass $<overwrite>",
                      std::string(kChecksFile));
}

/// A writer of lines, and of a last line with a checksum of them.
class ChecksWriter {
 public:
  explicit ChecksWriter(OutputStream* stream) : stream_(*stream) { XXH3_64bits_reset(&state_); }

  Status Add(const std::string& line) {
    XXH3_64bits_update(&state_, line.data(), line.size());
    return stream_.Write(line);
  }

  Status End() {
    return stream_.Write("{\"check\": \"" + Hex(XXH3_64bits_digest(&state_)) + "\"}\n");
  }

 private:
  OutputStream& stream_;
  XXH3_state_t state_;
};

/// Adds the files in the folder itself whose content is not known yet.
Status AddOthers(const std::string& folder, ChecksWriter* writer) {
  FileSystem& files = RealFileSystem();
  LOOKALIKE_ASSIGN_OR_RETURN(const auto names, files.List(folder));
  for (const std::string& name : names) {
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(folder + "/" + name));
    if (facts.kind != FileKind::kFile || name == kManifestFile || name == kChecksFile) continue;
    LOOKALIKE_ASSIGN_OR_RETURN(const ContentHash content, ReadContentHash(folder + "/" + name));
    LOOKALIKE_RETURN_IF_ERROR(writer->Add(LineOf(ResultFile{name, content})));
  }
  return {};
}

/// Returns the files that a result folder lists for itself; none if it has no valid list.
std::set<std::string> ListedFiles(const std::string& folder) {
  std::set<std::string> names;
  const auto text = ReadWholeFile(folder + "/" + std::string(kChecksFile), RealFileSystem());
  if (!text) return names;
  if (const auto checks = ReadChecks(*text)) {
    for (const ResultFile& file : checks->files) names.insert(file.name);
  }
  return names;
}

tl::unexpected<Error> FailForeign(const std::string& folder, const std::string& name) {
  return UsageError("holds " + name +
                        ", which is not part of a result, and $<overwrite> only replaces results; "
                        "move it away, or choose another output",
                    folder);
}

/// Checks that a result holds only files that runs write: anything else belongs to the user.
Status CheckNoOtherFiles(const std::string& folder) {
  FileSystem& files = RealFileSystem();
  const std::set<std::string> own = ListedFiles(folder);
  LOOKALIKE_ASSIGN_OR_RETURN(const auto names, files.List(folder));
  for (const std::string& name : names) {
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(folder + "/" + name));
    const bool is_folder = facts.kind == FileKind::kDirectory;
    if (!own.contains(name) && !IsOfResult(is_folder ? name + "/" : name)) {
      return FailForeign(folder, name);
    }
    if (!is_folder || own.empty()) continue;
    LOOKALIKE_ASSIGN_OR_RETURN(const auto below, ListFilesBelow(folder + "/" + name));
    for (const std::string& file : below) {
      if (!own.contains(name + "/" + file)) return FailForeign(folder, name + "/" + file);
    }
  }
  return {};
}

}  // namespace

bool IsOfResult(std::string_view name) {
  constexpr std::array<std::string_view, 15> kFiles = {
      "removed.jsonl", "suggested.jsonl", "clusters.jsonl", "rejected.jsonl", "evidence.jsonl",
      "guarded.jsonl", "scores.bin",      "passages.jsonl", "cuts.jsonl",     "dropped.jsonl",
      "found.jsonl",   "items.jsonl",     "report.html",    kChecksFile,      kManifestFile};
  return std::find(kFiles.begin(), kFiles.end(), name) != kFiles.end() ||
         std::any_of(kFolders.begin(), kFolders.end(),
                     [&](std::string_view folder) { return name.starts_with(folder); });
}

Result<CheckedInput> DescribeInput(const InputFile& file, bool fetched) {
  CheckedInput input{.name = file.name, .bytes = file.size, .mtime_ns = {}, .edges = {}};
  if (file.table || file.is_stdin) return input;
  input.mtime_ns = file.mtime_ns;
  if (!file.uri.empty() && (!fetched || file.remote)) return input;  // it would be requested
  LOOKALIKE_ASSIGN_OR_RETURN(input.edges, HashEdges(file));
  return input;
}

std::optional<uint64_t> HashManifest(const std::string& manifest) {
  const Json json = Json::parse(manifest, nullptr, false);
  if (!json.is_object() || !json.contains("options_digest") || !json.contains("fingerprint")) {
    return std::nullopt;
  }
  std::string text;
  for (const char* part :
       {"version", "fingerprint", "records", "reference", "notes", "inputs", "fields", "options",
        "features", "options_digest", "search", "clusters", "recall"}) {
    text += json.value(part, Json()).dump() + "\n";
  }
  for (const char* part : {"exact", "suggested"}) {  // from sketch files only
    if (json.contains(part)) text += json.at(part).dump() + "\n";
  }
  return XXH3_64bits(text.data(), text.size());
}

Status WriteChecks(const InputList& inputs, const ForEachResultFile& known,
                   const std::string& folder, const std::string& target) {
  const std::string manifest_path = folder + "/" + std::string(kManifestFile);
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text,
                             ReadWholeFile(manifest_path, RealFileSystem()));
  const auto manifest = HashManifest(text);
  if (!manifest) {
    return DiskError("does not hold what was written to it; check the device", manifest_path);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(
      const auto stream,
      OutputStream::Create(target + "/" + std::string(kChecksFile), Codec::kNone));
  ChecksWriter writer(stream.get());
  for (const InputFile& file : inputs) {
    LOOKALIKE_ASSIGN_OR_RETURN(const CheckedInput input, DescribeInput(file, true));
    LOOKALIKE_RETURN_IF_ERROR(writer.Add(LineOf(input)));
  }
  LOOKALIKE_RETURN_IF_ERROR(
      known([&](const ResultFile& file) { return writer.Add(LineOf(file)); }));
  LOOKALIKE_RETURN_IF_ERROR(AddOthers(folder, &writer));
  LOOKALIKE_RETURN_IF_ERROR(writer.Add("{\"manifest_xxh3\": \"" + Hex(*manifest) + "\"}\n"));
  LOOKALIKE_RETURN_IF_ERROR(writer.End());
  return stream->Close();
}

Result<ResultChecks> ReadChecks(const std::string& text) {
  const size_t last = text.size() < 2 ? text.npos : text.rfind('\n', text.size() - 2);
  if (last == text.npos || !text.ends_with('\n')) return FailDamaged();
  const std::string_view lines = std::string_view(text).substr(0, last + 1);
  try {
    if (FromHex(Json::parse(text.substr(last + 1)).at("check")) !=
        XXH3_64bits(lines.data(), lines.size())) {
      return FailDamaged();
    }
    ResultChecks checks;
    for (size_t begin = 0; begin < lines.size();) {
      const size_t end = lines.find('\n', begin);
      TakeLine(Json::parse(lines.substr(begin, end - begin)), &checks);
      begin = end + 1;
    }
    return checks;
  } catch (const std::exception&) {
    return FailDamaged();
  }
}

Result<ContentHash> ReadContentHash(const std::string& path,
                                    const std::function<bool(uint64_t bytes)>& look) {
  constexpr uint64_t kPiece = uint64_t{1} << 20;
  LOOKALIKE_ASSIGN_OR_RETURN(const auto file, RealFileSystem().OpenRead(path));
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  std::vector<std::byte> piece(std::min(kPiece, file->size()));
  for (uint64_t at = 0; at < file->size(); at += piece.size()) {
    piece.resize(std::min(kPiece, file->size() - at));
    LOOKALIKE_RETURN_IF_ERROR(ReadFully(*file, at, piece));
    XXH3_64bits_update(&state, piece.data(), piece.size());
    if (look && !look(piece.size())) return Cancelled();
  }
  return ContentHash{file->size(), XXH3_64bits_digest(&state)};
}

Status CheckReplaceable(const std::string& folder) {
  FileSystem& files = RealFileSystem();
  LOOKALIKE_ASSIGN_OR_RETURN(const auto names, files.List(folder));
  if (names.empty()) return {};
  const std::string manifest = folder + "/" + std::string(kManifestFile);
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(manifest));
  std::optional<uint64_t> hash;
  if (facts.kind == FileKind::kFile) {
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(manifest, files));
    hash = HashManifest(text);
  }
  if (hash) return CheckNoOtherFiles(folder);
  return UsageError(
      "is not a result of this command: it has no manifest.json that lookalike wrote, and "
      "$<overwrite> only replaces results; move it away, or choose another output",
      folder);
}

}  // namespace lookalike
