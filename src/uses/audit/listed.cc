#include "uses/audit/listed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>

#include "io/input_stream.h"
#include "io/open_stream.h"
#include "io/output_stream.h"
#include "uses/group/grouping.h"

namespace lookalike {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr const char* kId = "list-id";
constexpr const char* kWith = "list-with";
constexpr std::array<std::string_view, 4> kKinds = {"removed", "kept", "clusters", "pairs"};

namespace fs = std::filesystem;

/// Reads a whole file, decompressed.
Result<std::string> ReadAll(const std::string& path) {
  constexpr size_t kBlock = size_t{1} << 20;
  LOOKALIKE_ASSIGN_OR_RETURN(const Codec codec, DetectCodec(path));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto stream,
                             OpenInputStream(FileAt(path, codec), ReadLimits{}.max_expansion));
  std::string all;
  while (true) {
    const size_t size = all.size();
    all.resize(size + kBlock);
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, stream->Read(all.data() + size, kBlock));
    all.resize(size + got);
    if (got < kBlock) return all;
  }
}

/// Calls `take` with each line of a text, without its end.
void ForEachLine(std::string_view text, const std::function<void(std::string_view)>& take) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) take(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Marks an entry as one of the list itself.
uint32_t List(std::string name, Listed* listed) {
  const uint32_t entry = listed->EntryOf(std::move(name));
  listed->in_list[entry] = true;
  return entry;
}

void SetCluster(uint32_t entry, uint32_t cluster, Listed* listed) {
  listed->cluster.resize(listed->in_list.size(), kNoEntry);
  listed->cluster[entry] = cluster;
}

std::string CountOfRows(uint64_t rows) {
  return rows == 1 ? "1 row" : fmt::format("{} rows", rows);
}

/// Gives the rows of a table as `take(group, item)`: all items of a group together, groups in the
/// order of their first rows.
Status ForEachRow(const AuditedList& list, const GroupFields& fields, const FieldOptions& named_by,
                  const Options& options, const Observer& observer,
                  const std::function<void(std::string_view, std::string_view)>& take) {
  std::string group;
  const auto take_row = [&](const GroupedRow& row) -> Status {
    if (row.begins_group) group = row.group;
    take(group, row.item);
    return {};
  };
  // Its messages about rows name options of another command; the count below says the same.
  Observer quiet = observer;
  quiet.message = nullptr;
  GroupSummary summary;
  const Status given =
      GiveGroupedRows({list.path}, fields, named_by, options, quiet, take_row, &summary);
  if (!given) return AtPlace(given.error(), list.path);
  if (summary.records.rejected == 0) return {};
  return InputError(
      fmt::format("{} without {}; name the fields with $<list-id> and $<list-with>",
                  CountOfRows(summary.records.rejected),
                  fields.by == fields.item ? fmt::format("the field {}", fields.by)
                                           : fmt::format("{} or {}", fields.by, fields.item)),
      list.path);
}

Result<Listed> ReadTable(const AuditedList& list, const Options& options,
                         const Observer& observer) {
  Listed listed;
  const bool is_pairs = list.kind == ListKind::kPairs;
  std::string id = list.id_field, with = list.with_field;
  if (id.empty()) id = is_pairs ? "a" : "id";
  if (with.empty() && is_pairs) with = "b";
  if (with.empty() && list.kind == ListKind::kClusters) with = "cluster";
  const auto read = [&](const GroupFields& fields, const auto& take) {
    const FieldOptions named_by = {fields.by == with ? kWith : kId,
                                   fields.item == with ? kWith : kId};
    return ForEachRow(list, fields, named_by, options, observer, take);
  };
  switch (list.kind) {
    case ListKind::kClusters: {
      listed.first_stays = true;
      std::string last;
      std::optional<std::string> in_two;
      LOOKALIKE_RETURN_IF_ERROR(read({with, id}, [&](std::string_view cluster,
                                                     std::string_view name) {
        if (listed.clusters == 0 || cluster != last) ++listed.clusters;
        last = cluster;
        const uint32_t entry = List(std::string(name), &listed);
        const uint32_t before = entry < listed.cluster.size() ? listed.cluster[entry] : kNoEntry;
        if (before != kNoEntry && before != listed.clusters - 1) in_two = name;
        SetCluster(entry, listed.clusters - 1, &listed);
      }));
      if (!in_two) break;
      return InputError(fmt::format("has the document '{}' in two clusters", *in_two), list.path);
    }
    case ListKind::kKept:
      LOOKALIKE_RETURN_IF_ERROR(read({id, id}, [&](std::string_view, std::string_view name) {
        List(std::string(name), &listed);
      }));
      break;
    case ListKind::kRemoved:
    case ListKind::kPairs:
      LOOKALIKE_RETURN_IF_ERROR(
          read({id, with.empty() ? id : with}, [&](std::string_view a, std::string_view b) {
            const uint32_t entry = List(std::string(a), &listed);
            if (with.empty()) return;
            const uint32_t other =
                is_pairs ? List(std::string(b), &listed) : listed.EntryOf(std::string(b));
            listed.pairs.emplace_back(entry, other);
          }));
      break;
  }
  return listed;
}

/// The little-endian 32-bit numbers of a file.
Result<std::vector<uint32_t>> ReadNumbers(const fs::path& path, size_t in_row) {
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string bytes, ReadAll(path.string()));
  if (bytes.size() % (in_row * sizeof(uint32_t)) != 0) {
    return InputError(fmt::format("has {} bytes, which is not a multiple of {}; the "
                                  "file is cut off, or of another program",
                                  bytes.size(), in_row * sizeof(uint32_t)),
                      path.string());
  }
  std::vector<uint32_t> numbers(bytes.size() / sizeof(uint32_t));
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto* const at = reinterpret_cast<const unsigned char*>(bytes.data()) + i * 4;
    numbers[i] =
        uint32_t{at[0]} | uint32_t{at[1]} << 8 | uint32_t{at[2]} << 16 | uint32_t{at[3]} << 24;
  }
  return numbers;
}

/// Reads the files that datatrove's last step but one writes for each worker: NNNNNN.remove has the
/// numbers of the documents to remove, NNNNNN.clusters pairs of a document's number and that of
/// its cluster.
Result<Listed> ReadWorkerFiles(const std::string& folder) {
  std::map<std::string, uint64_t> files;  // by name: the worker
  std::error_code error;
  for (const fs::directory_entry& each : fs::directory_iterator(folder, error)) {
    const std::string stem = each.path().stem().string(), end = each.path().extension().string();
    uint64_t worker = 0;
    const auto [last, problem] = std::from_chars(stem.data(), stem.data() + stem.size(), worker);
    const bool is_number = problem == std::errc() && last == stem.data() + stem.size();
    if (is_number && (end == ".remove" || end == ".clusters")) {
      files[each.path().filename().string()] = worker;
    }
  }
  if (error) return DiskError("cannot be read: " + error.message(), folder);
  Listed listed;
  listed.naming = Naming::kWorkerNumbers;
  bool has_removals = false;
  std::unordered_map<uint32_t, uint32_t> clusters;
  for (const auto& [name, worker] : files) {
    const bool is_clusters = name.ends_with(".clusters");
    LOOKALIKE_ASSIGN_OR_RETURN(const auto numbers,
                               ReadNumbers(fs::path(folder) / name, is_clusters ? 2 : 1));
    has_removals = has_removals || !is_clusters;
    for (size_t i = 0; !is_clusters && i < numbers.size(); ++i) {
      List(WorkerName(worker, numbers[i]), &listed);
    }
    for (size_t i = 0; is_clusters && i < numbers.size(); i += 2) {
      const auto number = static_cast<uint32_t>(clusters.size());
      SetCluster(listed.EntryOf(WorkerName(worker, numbers[i])),
                 clusters.try_emplace(numbers[i + 1], number).first->second, &listed);
    }
  }
  listed.clusters = static_cast<uint32_t>(clusters.size());
  if (has_removals) return listed;
  return InputError("has no file such as 000000.remove; pass the folder of removals, or a file",
                    folder);
}

/// True for "ids.txt", and "ids.txt.gz".
bool IsTextList(const fs::path& path) {
  const bool packed = CodecOfName(path.string()) != Codec::kNone;
  return (packed ? path.stem() : path).extension() == ".txt";
}

}  // namespace

std::string_view NameOf(ListKind kind) { return kKinds[static_cast<size_t>(kind)]; }

std::optional<ListKind> ListKindOf(std::string_view name) {
  const auto at = std::ranges::find(kKinds, name);
  if (at == kKinds.end()) return std::nullopt;
  return static_cast<ListKind>(at - kKinds.begin());
}

uint32_t Listed::EntryOf(std::string name) {
  const auto next = static_cast<uint32_t>(entries.size());
  const auto [at, is_new] = entries.try_emplace(std::move(name), next);
  if (is_new) in_list.push_back(false);
  return at->second;
}

uint32_t Listed::Find(const std::string& name) const {
  const auto at = entries.find(name);
  return at == entries.end() ? kNoEntry : at->second;
}

std::string WorkerName(uint64_t worker, uint64_t number) {
  return fmt::format("{}:{}", worker, number);
}

Result<Listed> ReadListed(const AuditedList& list, const Options& options,
                          const Observer& observer) {
  std::error_code ignored;
  const bool is_folder = fs::is_directory(list.path, ignored);
  if (is_folder && list.kind == ListKind::kRemoved && list.id_field.empty()) {
    LOOKALIKE_ASSIGN_OR_RETURN(Listed listed, ReadWorkerFiles(list.path));
    listed.workers = list.workers;
    listed.cluster.resize(listed.cluster.empty() ? 0 : listed.in_list.size(), kNoEntry);
    return listed;
  }
  Listed listed;
  if (IsTextList(list.path)) {
    if (list.kind != ListKind::kRemoved && list.kind != ListKind::kKept) {
      return UsageError(
          "has one id on each line, which makes no clusters and no pairs; pass a "
          "table, or a list of removed or kept documents",
          list.path);
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string all, ReadAll(list.path));
    std::string_view lines = all;
    if (lines.starts_with(kByteOrderMark)) lines.remove_prefix(kByteOrderMark.size());
    ForEachLine(lines, [&](std::string_view line) { List(std::string(line), &listed); });
  } else {
    LOOKALIKE_ASSIGN_OR_RETURN(listed, ReadTable(list, options, observer));
  }
  listed.naming = list.by_number ? Naming::kNumbers : Naming::kIds;
  if (!listed.cluster.empty()) listed.cluster.resize(listed.in_list.size(), kNoEntry);
  return listed;
}

}  // namespace lookalike
