#include "lookalike/index.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "index/add_all.h"
#include "index/check.h"
#include "index/cluster_list.h"
#include "index/data_folder.h"
#include "index/index_state.h"
#include "index/load.h"
#include "index/snapshot.h"
#include "index/tables.h"
#include "io/file_system.h"
#include "lookalike/sample_audit.h"
#include "text/decimal.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

const std::string kVersion = "2";
const std::string kVersionBefore = "1";   // leaders have postings (hot_keys.h)
const std::string kVersionGuarded = "3";  // records have words of guards (index_guards.h)

/// Returns the version of what is written to an index. One without guards is as it was before there
/// were any, and earlier versions of Lookalike read it.
const std::string& VersionToWrite(const IndexRules& rules) {
  return rules.guards.any() ? kVersionGuarded : kVersion;
}

/// Returns an Error unless the folder is an index of a format that is known.
Status CheckFormat(const fs::path& folder) {
  const auto version = VersionOf(folder);
  if (!version) return UsageError("there is no index; make one with index create", folder.string());
  if (*version == kVersion || *version == kVersionBefore || *version == kVersionGuarded) return {};
  return UsageError("the index has format " + *version + ", this version of Lookalike knows " +
                        kVersionBefore + " to " + kVersionGuarded + "; use a newer version",
                    folder.string());
}

/// Makes the folder an index. Comes last, so that half an index is none.
Status WriteFormat(const fs::path& folder, const std::string& version) {
  LOOKALIKE_RETURN_IF_ERROR(
      ReplaceFile(folder / kFormatName, std::string(kFormat) + version + "\n"));
  return RealFileSystem().SyncPath(fs::absolute(folder).parent_path().string());
}

/// Gives each file of a copy bytes of its own: a store copies by hard links, so that damage to one
/// file would be in both.
Status UnlinkCopies(const fs::path& folder) {
  FileSystem& files = RealFileSystem();
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.hard_link_count() < 2) continue;
    const fs::path fresh = entry.path().string() + ".new";
    fs::copy_file(entry.path(), fresh);
    LOOKALIKE_RETURN_IF_ERROR(files.SyncPath(fresh.string()));
    fs::rename(fresh, entry.path());
  }
  return files.SyncPath(folder.string());
}

/// Returns an Error unless the folder can become an index.
Status CheckFree(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error) || (fs::is_directory(folder, error) && fs::is_empty(folder))) {
    return {};
  }
  return UsageError("already exists; name a folder that does not", folder.string());
}

Status MakeFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) return {};
  return DiskError("the folder cannot be made: " + error.message(), folder.string());
}

void WriteHolder(const fs::path& folder) {
  std::string host(256, '\0');
  gethostname(host.data(), host.size() - 1);
  const std::time_t now = std::time(nullptr);
  char since[32] = "";
  std::tm broken_down = {};
  std::strftime(since, sizeof since, "%FT%TZ", gmtime_r(&now, &broken_down));
  const nlohmann::ordered_json holder = {
      {"host", host.c_str()}, {"process", getpid()}, {"since", since}};
  std::ofstream(HolderOf(folder)) << holder.dump() << '\n';
}

/// Says who holds the lock, as far as is known.
std::string HolderText(const fs::path& folder) {
  std::ifstream file(HolderOf(folder));
  const auto holder = nlohmann::json::parse(file, nullptr, false);
  if (!holder.is_object()) return "another process writes to the index";
  return "process " + std::to_string(holder.value("process", 0)) + " on " +
         holder.value("host", "an unknown machine") + " writes to the index since " +
         holder.value("since", "an unknown time");
}

/// Makes a folder an index by what `fill` puts into it. After an Error nothing of it is left.
Status FillFolder(const fs::path& folder, const std::string& version,
                  const std::function<Status()>& fill) {
  LOOKALIKE_RETURN_IF_ERROR(CheckFree(folder));
  std::error_code ignored;
  const bool was_there = fs::exists(folder, ignored);
  LOOKALIKE_RETURN_IF_ERROR(MakeFolder(folder));
  Status filled = fill();
  if (filled) filled = WriteFormat(folder, version);
  if (filled) return {};
  fs::remove(folder / kFormatName, ignored);
  fs::remove_all(DataOf(folder), ignored);
  fs::remove_all(PlaceOfTable(folder, ""), ignored);
  if (!was_there) fs::remove(folder, ignored);
  return WithPlace(std::move(filled).error(), folder);
}

}  // namespace

std::string WhyRefused(std::string_view id, std::string_view metadata) {
  if (id.empty() || id.size() > kLongestIndexId) {
    return "the id has " + std::to_string(id.size()) + " bytes, 1 to " +
           std::to_string(kLongestIndexId) + " are allowed";
  }
  if (metadata.size() <= kLongestMetadata) return "";
  return "the metadata has " + std::to_string(metadata.size()) + " bytes, up to " +
         std::to_string(kLongestMetadata) + " are allowed";
}

Result<std::vector<Probe>> ProbesToAdd(const IndexRules& rules,
                                       std::span<const IndexDocument> documents) {
  std::vector<GuardedText> texts;
  for (const IndexDocument& document : documents) {
    if (std::string why = WhyRefused(document.id, document.metadata); !why.empty()) {
      constexpr size_t kShown = 60;
      if (document.id.empty()) return InputError(std::move(why));
      return InputError(std::move(why), "document " + std::string(document.id.substr(0, kShown)));
    }
    texts.push_back({document.text, document.guard_values});
  }
  return ProbesOfGuarded(rules, texts);
}

Status Index::Create(const std::string& folder, const IndexSettings& settings) {
  return WithoutExceptions([&]() -> Status {
    LOOKALIKE_ASSIGN_OR_RETURN(IndexRules rules, MakeRules(settings));
    if (folder.find("://") != folder.npos) {
      return UsageError("an index lies in a folder of this machine, not in a store", folder);
    }
    return FillFolder(folder, VersionToWrite(rules), [&]() -> Status {
      LOOKALIKE_RETURN_IF_ERROR(KeepTables(folder, &rules.settings.options));
      StoreBatch batch;
      batch.Put(Family::kMeta, std::string(kSettingsKey), EncodeSettings(rules));
      batch.Put(Family::kMeta, std::string(kStateKey), EncodeState({}));
      LOOKALIKE_ASSIGN_OR_RETURN(const auto store,
                                 OpenStore(DataOf(folder), StoreMode::kCreate, CacheOf(0)));
      LOOKALIKE_RETURN_IF_ERROR(store->Write(batch));
      return store->Sync();
    });
  });
}

Result<Index> Index::Open(const std::string& folder, IndexMode mode, uint64_t memory) {
  return WithoutExceptions([&]() -> Result<Index> {
    LOOKALIKE_RETURN_IF_ERROR(CheckFormat(folder));
    auto store = OpenData(folder, mode == IndexMode::kWrite ? StoreMode::kWrite : StoreMode::kRead,
                          CacheOf(memory));
    if (!store) {
      if (store.error().code == ErrorCode::kUsage) return UsageError(HolderText(folder), folder);
      return WithPlace(std::move(store).error(), folder);
    }
    auto settings = (*store)->View()->Get(Family::kMeta, kSettingsKey);
    if (!settings) return WithPlace(std::move(settings).error(), folder);
    auto rules = DecodeSettings(settings->value_or(""), folder);
    if (!rules) return WithPlace(std::move(rules).error(), folder);
    auto state =
        std::make_unique<State>(folder, mode, memory, *std::move(rules), *std::move(store));
    if (mode == IndexMode::kWrite) {
      state->holds = true;
      WriteHolder(folder);
      RemoveOtherData(folder);
      // An earlier version would not understand what is written from now on.
      const std::string& version = VersionToWrite(state->rules);
      if (VersionOf(folder) != version) LOOKALIKE_RETURN_IF_ERROR(WriteFormat(folder, version));
    }
    return Index(std::move(state));
  });
}

Index::Index(std::unique_ptr<State> state) : state_(std::move(state)) {}
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;
Index::~Index() = default;

const IndexSettings& Index::settings() const { return state_->rules.settings; }

const std::vector<std::string>& Index::guard_fields() const {
  return state_->rules.guards.fields();
}

Result<std::vector<AddAnswer>> Index::Add(std::span<const IndexDocument> documents,
                                          std::optional<double> unless_similar) {
  return state_->Do([&]() -> Result<std::vector<AddAnswer>> {
    if (unless_similar) LOOKALIKE_RETURN_IF_ERROR(state_->CheckUnlessSimilar(*unless_similar));
    return AddBatch(documents, unless_similar, state_.get());
  });
}

Status Index::AddAll(const std::function<Result<bool>(std::vector<DocumentToAdd>*)>& next) && {
  constexpr size_t kInMemory = size_t{64} << 20;
  return state_->Do([&] { return AddInOneStep(next, kInMemory, state_.get()); });
}

Result<uint64_t> Index::Remove(std::span<const std::string> ids) {
  return state_->Do([&]() -> Result<uint64_t> {
    uint64_t removed = 0;
    LOOKALIKE_RETURN_IF_ERROR(state_->Commit([&](IndexBatch* batch) -> Status {
      for (const std::string& id : ids) {
        LOOKALIKE_ASSIGN_OR_RETURN(const bool was_there, batch->Remove(id));
        if (was_there) ++removed;
      }
      return {};
    }));
    return removed;
  });
}

Result<IndexAnswer> Index::QueryText(std::string_view text, const IndexQuery& query) const {
  return state_->Do([&]() -> Result<IndexAnswer> {
    LOOKALIKE_ASSIGN_OR_RETURN(const IndexQuery resolved, state_->Resolve(query));
    const GuardedText given = {text, query.guard_values};
    LOOKALIKE_ASSIGN_OR_RETURN(const auto probes, ProbesOfGuarded(state_->rules, {&given, 1}));
    return Find(state_->rules, *state_->store->View(), probes[0], resolved, NothingLeftOut);
  });
}

Result<IndexAnswer> Index::QueryId(std::string_view id, const IndexQuery& query) const {
  return state_->Do([&]() -> Result<IndexAnswer> {
    LOOKALIKE_ASSIGN_OR_RETURN(const IndexQuery resolved, state_->Resolve(query));
    const auto view = state_->store->View();
    LOOKALIKE_ASSIGN_OR_RETURN(const auto number, FindNumber(*view, id));
    if (!number) return UsageError("there is no document " + std::string(id));
    LOOKALIKE_ASSIGN_OR_RETURN(const auto record, ReadRecord(*view, *number));
    LOOKALIKE_ASSIGN_OR_RETURN(const Probe probe, ProbeOf(state_->rules, *view, *number, record));
    return Find(state_->rules, *view, probe, resolved,
                [&](DocumentNumber other) { return other == *number; });
  });
}

Result<std::optional<IndexedDocument>> Index::Get(std::string_view id) const {
  return state_->Do([&]() -> Result<std::optional<IndexedDocument>> {
    const auto view = state_->store->View();
    LOOKALIKE_ASSIGN_OR_RETURN(const auto number, FindNumber(*view, id));
    if (!number) return std::nullopt;
    LOOKALIKE_ASSIGN_OR_RETURN(auto record, ReadRecord(*view, *number));
    LOOKALIKE_ASSIGN_OR_RETURN(auto text, state_->TextOf(*view, *number));
    return state_->DocumentOf(std::move(record), std::move(text));
  });
}

Result<Index> Index::Snapshot() const {
  return state_->Do([&]() -> Result<Index> {
    auto view = state_->store->View();
    LOOKALIKE_ASSIGN_OR_RETURN(IndexRules rules,
                               DecodeSettings(EncodeSettings(state_->rules), state_->folder));
    return Index(std::make_unique<State>(state_->folder, IndexMode::kRead, state_->memory,
                                         std::move(rules), StoreOf(std::move(view))));
  });
}

Status Index::List(const std::function<bool(const IndexedDocument&)>& take) const {
  return state_->Do([&]() -> Status {
    const auto view = state_->store->View();
    const auto cursor = view->Scan(Family::kDocuments, true);
    for (cursor->Seek(""); cursor->Valid(); cursor->Next()) {
      LOOKALIKE_ASSIGN_OR_RETURN(Stored stored, StoredAt(*cursor));
      LOOKALIKE_ASSIGN_OR_RETURN(auto text, state_->TextOf(*view, stored.number));
      if (!take(state_->DocumentOf(std::move(stored.record), std::move(text)))) return {};
    }
    return cursor->status();
  });
}

Result<IndexStats> Index::Stats() const {
  return state_->Do([&]() -> Result<IndexStats> {
    LOOKALIKE_ASSIGN_OR_RETURN(const IndexState state, State::StateOf(*state_->store->View()));
    IndexStats stats;
    stats.documents = state.documents;
    // A writer may remove files meanwhile.
    std::error_code ended;
    for (fs::recursive_directory_iterator at(state_->folder, ended), end; !ended && at != end;
         at.increment(ended)) {
      std::error_code gone;
      const bool counts = at->is_regular_file(gone) && at->path() != HolderOf(state_->folder);
      const auto size = counts ? at->file_size(gone) : 0;
      if (!gone) stats.bytes += size;
    }
    stats.keys = state_->rules.keys.Name();
    stats.kept = state_->rules.settings.kept;
    stats.threshold = state_->rules.threshold();
    stats.differ = state_->rules.settings.options.differ;
    stats.same = state_->rules.settings.options.same;
    return stats;
  });
}

Result<IndexAudit> Index::Audit(uint64_t documents) const {
  return state_->Do([&]() -> Result<IndexAudit> {
    const auto view = state_->store->View();
    LOOKALIKE_ASSIGN_OR_RETURN(const IndexState state, State::StateOf(*view));
    // Each n-th document; numbers do not depend on what is like what.
    const uint64_t step = std::max<uint64_t>(1, state.documents / std::max<uint64_t>(1, documents));
    std::vector<DocumentNumber> self;
    std::vector<Probe> probes;
    uint64_t place = 0;
    const auto cursor = view->Scan(Family::kDocuments, true);
    for (cursor->Seek(""); cursor->Valid() && probes.size() < documents; cursor->Next()) {
      if (place++ % step != 0) continue;
      LOOKALIKE_ASSIGN_OR_RETURN(const Stored stored, StoredAt(*cursor));
      self.push_back(stored.number);
      LOOKALIKE_ASSIGN_OR_RETURN(Probe probe,
                                 ProbeOf(state_->rules, *view, stored.number, stored.record));
      probes.push_back(std::move(probe));
    }
    LOOKALIKE_RETURN_IF_ERROR(cursor->status());
    IndexQuery all;
    all.limit = UINT64_MAX;
    all.exhaustive = true;
    LOOKALIKE_ASSIGN_OR_RETURN(const auto every,
                               FindInAll(state_->rules, *view, probes, all, NothingLeftOut, self));
    all.exhaustive = false;
    IndexAudit audit;
    std::vector<double> pairs, found;
    for (size_t i = 0; i < probes.size(); ++i) {
      LOOKALIKE_ASSIGN_OR_RETURN(const IndexAnswer by_keys,
                                 Find(state_->rules, *view, probes[i], all,
                                      [&](DocumentNumber other) { return other == self[i]; }));
      pairs.push_back(static_cast<double>(every[i].matches.size()));
      found.push_back(static_cast<double>(by_keys.matches.size()));
      audit.pairs += every[i].matches.size();
    }
    audit.documents = probes.size();
    LOOKALIKE_ASSIGN_OR_RETURN(audit.recall,
                               EstimateRecall(pairs, found, settings().options.recall));
    return audit;
  });
}

Status Index::Clusters(double threshold,
                       const std::function<bool(const IndexCluster&)>& take) const {
  return state_->Do([&]() -> Status {
    LOOKALIKE_RETURN_IF_ERROR(state_->CheckHasClusters());
    if (threshold != 0 && threshold < state_->rules.threshold()) {
      return OptionError("clusters are made at a $<threshold> of " +
                         CanonicalDecimal(state_->rules.threshold()) +
                         "; they can be cut at a higher one only");
    }
    return ListClusters(state_->rules, *state_->store->View(), threshold, take);
  });
}

Status Index::Changes(uint64_t since, const std::function<bool(std::string_view)>& take) const {
  return state_->Do([&]() -> Status {
    LOOKALIKE_RETURN_IF_ERROR(state_->CheckHasClusters());
    const auto view = state_->store->View();
    LOOKALIKE_ASSIGN_OR_RETURN(const IndexState state, State::StateOf(*view));
    if (since >= state.next_change) return {};
    for (uint64_t change = since + 1; change < state.next_change; ++change) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto line, view->Get(Family::kChanges, EncodeName(change)));
      if (!line) return CorruptError("a change of clusters is missing");
      if (!take(*line)) return {};
    }
    return {};
  });
}

Status Index::Check() const {
  return state_->Do([&]() -> Status {
    LOOKALIKE_RETURN_IF_ERROR(CheckTables(state_->rules.settings.options));
    LOOKALIKE_RETURN_IF_ERROR(state_->store->CheckFiles());
    const auto view = state_->store->View();
    LOOKALIKE_ASSIGN_OR_RETURN(const IndexState state, State::StateOf(*view));
    LOOKALIKE_RETURN_IF_ERROR(CheckContents(state_->rules, *view, state));
    return CheckClusters(state_->rules, *view, state);
  });
}

Status Index::Compact() {
  return state_->Do([&]() -> Status {
    LOOKALIKE_RETURN_IF_ERROR(state_->CheckWritable());
    const std::lock_guard<std::mutex> lock(state_->writing);
    StoreBatch forgotten;
    LOOKALIKE_RETURN_IF_ERROR(ForgetRemoved(*state_->store->View(), &forgotten));
    if (!forgotten.Of(Family::kChanges).empty()) {
      LOOKALIKE_RETURN_IF_ERROR(state_->store->Write(forgotten));
      LOOKALIKE_RETURN_IF_ERROR(state_->store->Sync());
    }
    const fs::path data = NextDataOf(state_->folder);
    Status compacted =
        state_->store->Compact(data.string(), [&] { return ReplaceData(state_->folder, data); });
    if (!compacted) state_->DropCopy(data);
    return compacted;
  });
}

Status Index::Backup(const std::string& folder) const {
  return state_->Do([&]() -> Status {
    return FillFolder(folder, VersionToWrite(state_->rules), [&]() -> Status {
      Options tables = state_->rules.settings.options;
      LOOKALIKE_RETURN_IF_ERROR(KeepTables(folder, &tables));
      LOOKALIKE_RETURN_IF_ERROR(state_->store->Copy(DataOf(folder)));
      return UnlinkCopies(DataOf(folder));
    });
  });
}

Status Index::Merge(const Index& other) {
  return state_->Do([&]() -> Status {
    LOOKALIKE_RETURN_IF_ERROR(state_->CheckEqualSettings(*other.state_));
    const auto view = other.state_->store->View();
    const auto cursor = view->Scan(Family::kDocuments, true);
    cursor->Seek("");
    Loader loader(state_.get(), {});
    for (; cursor->Valid(); cursor->Next()) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto stored, StoredAt(*cursor));
      const auto& [number, record] = stored;
      LOOKALIKE_ASSIGN_OR_RETURN(const Probe probe,
                                 ProbeOf(other.state_->rules, *view, number, record));
      LOOKALIKE_ASSIGN_OR_RETURN(const auto text, other.state_->TextOf(*view, number));
      const std::string_view known = text ? std::string_view(*text) : std::string_view();
      LOOKALIKE_RETURN_IF_ERROR(loader.Add({record.id, known, record.metadata}, probe));
    }
    LOOKALIKE_RETURN_IF_ERROR(cursor->status());
    return loader.Finish();
  });
}

Status Index::MergeAll(std::span<const std::string> from, const std::string& into,
                       uint64_t memory) {
  std::vector<Index> parts;
  const uint64_t share = MemoryOf(memory) / (from.size() + 1);  // all are open at once
  for (const std::string& name : from) {
    LOOKALIKE_ASSIGN_OR_RETURN(Index part, Open(name, IndexMode::kRead, share));
    parts.push_back(std::move(part));
    LOOKALIKE_RETURN_IF_ERROR(parts[0].state_->CheckEqualSettings(*parts.back().state_));
  }
  if (parts.empty()) return UsageError("there is nothing to merge");
  LOOKALIKE_RETURN_IF_ERROR(Create(into, parts[0].settings()));
  Status merged;
  {
    LOOKALIKE_ASSIGN_OR_RETURN(Index whole, Open(into, IndexMode::kWrite, share));
    for (size_t i = 0; i < parts.size() && merged; ++i) merged = whole.Merge(parts[i]);
  }
  if (merged) return {};
  std::error_code ignored;
  fs::remove_all(into, ignored);  // this call has made it
  return merged;
}

Options Index::ReadingOptions(const Options& given) const {
  Options reading = given;
  TakeIndexOptions(settings().options, &reading);
  return reading;
}

}  // namespace lookalike
