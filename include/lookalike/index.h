// A durable index of documents: what is like this one, among all that were ever added?
//
// Documents come and go by id, one batch at a time; each batch is stored whole or not at all, and
// what was acknowledged survives a crash. Answers are exact: candidates found by keys are compared
// by their feature sets, as `dedup` compares them (docs/format/index-v2.md describes what is
// stored).
#ifndef LOOKALIKE_INDEX_H_
#define LOOKALIKE_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/options_table.h"
#include "lookalike/reader.h"
#include "lookalike/status.h"

namespace lookalike {

/// Returns true if this names the folder of an index.
bool IsIndex(const std::string& name);

/// The part of each document that an index keeps, besides its id, metadata and codes.
enum class Kept : uint8_t {
  kNone,      ///< Nothing: answers are estimates.
  kFeatures,  ///< Its features, 8 bytes each: answers are exact.
  kText,      ///< Its text, compressed: exact as well; less room, and more work for each answer.
};

/// Returns the word of a Kept: "none", "features" or "text".
std::string_view NameOf(Kept kept);

/// The rules of an index. They are stored at creation and never change.
struct IndexSettings {
  Options options;  ///< Those that decide which documents are alike; others are left out.
  Kept kept = Kept::kFeatures;
  bool clusters = true;  ///< Keeps clusters of similar documents, and a log of their changes.
};

/// True for options that an index fixes at its creation: they decide which documents are alike.
bool IsIndexOption(const OptionRow& row);

inline constexpr size_t kLongestIndexId = 1024;  ///< In bytes.

/// Returns what is wrong with an id, or with metadata, that an index cannot hold: "the id has 0
/// bytes, 1 to 1024 are allowed"; nothing if it can.
std::string WhyRefused(std::string_view id, std::string_view metadata = {});

/// A document as it is added.
struct IndexDocument {
  std::string_view id;        ///< 1 to 1,024 bytes; an id that is there already is replaced.
  std::string_view text;      ///< In UTF-8.
  std::string_view metadata;  ///< Up to 64 KiB of whatever the caller wants back.
  /// The values of the fields that guards compare, in the order of Index::guard_fields(); missing
  /// values are equal to one another. Not needed where there are no such fields.
  std::span<const FieldText> guard_values = {};
};

/// The same, where the caller's memory is gone by the time of adding.
struct DocumentToAdd {
  std::string id, text, metadata;
  std::vector<FieldText> guard_values = {};
};

/// A document that is like another one.
struct IndexMatch {
  std::string id;
  double resemblance = 0;  ///< common features / all features.
  /// The share of the features of what was asked for that this document has, and the reverse; zeros
  /// in an estimate.
  double containment_ab = 0, containment_ba = 0;
  bool exact = true;          ///< False: an estimate from codes, because nothing else is kept.
  double standard_error = 0;  ///< The error of an estimate; at most .044.
  std::string metadata;
};

/// The documents at or above a threshold: those of the highest score first, ties by id. The score
/// is the resemblance, or the larger containment.
struct IndexAnswer {
  std::vector<IndexMatch> matches;
  bool truncated = false;   ///< There may be more: a limit was reached.
  uint64_t candidates = 0;  ///< Documents that were looked at; copies count as one.
};

struct IndexQuery {
  double threshold = 0;     ///< 0: that of the index. A lower one makes a query exhaustive.
  uint64_t top = 0;         ///< Only the best; 0: all up to `limit`.
  uint64_t limit = 100;     ///< Matches that are returned at most.
  bool exhaustive = false;  ///< Looks at the codes of all documents instead of at keys.
  /// "resemblance" or "containment"; empty: that of the index. An index of resemblance has no keys
  /// for containment, so that it needs `exhaustive`; one of containment answers both.
  std::string measure = {};
  /// For a text: as IndexDocument::guard_values.
  std::vector<FieldText> guard_values = {};
};

/// The fate of a document that was to be added.
enum class AddOutcome : uint8_t {
  kAdded,      ///< Its id was not there.
  kReplaced,   ///< Its id was there with another text or other metadata.
  kUnchanged,  ///< It was there as it is.
  kSimilar,    ///< It is like another one, so that it was not added.
};

struct AddAnswer {
  AddOutcome outcome = AddOutcome::kAdded;
  std::optional<IndexMatch> like;  ///< For kSimilar: the best match.
};

/// The outcome of a load.
struct LoadSummary {
  uint64_t added = 0, replaced = 0, unchanged = 0, similar = 0;
  uint64_t rejected = 0;  ///< Records that could not be read, and documents with ids too long.

  void Count(AddOutcome outcome);
};

/// A document as it is stored.
struct IndexedDocument {
  std::string id, metadata;
  std::optional<std::string> text;  ///< For Kept::kText.
  uint64_t features = 0;            ///< How many distinct ones it has.
};

struct IndexStats {
  uint64_t documents = 0;
  uint64_t bytes = 0;  ///< The size of all files.
  std::string keys;    ///< How documents are found: "12 keys of 5 codes".
  Kept kept = Kept::kFeatures;
  double threshold = 0;
  std::vector<std::string> differ, same;  ///< Its guards, as Options has them.
};

/// The recall of queries by keys, measured against queries that are exhaustive.
struct IndexAudit {
  RecallAudit recall;
  uint64_t documents = 0;  ///< That were asked for.
  uint64_t pairs = 0;      ///< That the exhaustive queries found.
};

/// Documents that links of similar ones connect.
struct IndexCluster {
  std::string name;  ///< Stays the same as documents come and go, and never names another one.
  std::vector<std::string> ids;  ///< In the order in which they were added.
};

enum class IndexMode : uint8_t {
  kRead,   ///< The state at the time of opening. Any number of processes may read.
  kWrite,  ///< One process at a time.
};

/// An open index. Safe to use from several threads.
class Index {
 public:
  /// Makes an empty index in a folder that does not exist yet or is empty. Returns an Error if an
  /// option is not allowed, or cannot be used by an index.
  static Status Create(const std::string& folder, const IndexSettings& settings);

  /// Opens an index. Returns an Error if there is none, it was made by a later version, or, for
  /// kWrite, another process writes; the message says which.
  /// `memory`: bytes of it to use, about, half of them for what was read of its files; 0: a quarter
  /// of what is available, and no more than 2 GiB.
  static Result<Index> Open(const std::string& folder, IndexMode mode, uint64_t memory = 0);

  Index(Index&&) noexcept;
  Index& operator=(Index&&) noexcept;
  ~Index();

  [[nodiscard]] const IndexSettings& settings() const;

  /// Returns the paths of the fields that the guards of the index compare (Options::differ and
  /// Options::same), in the order of IndexDocument::guard_values; none without such guards.
  [[nodiscard]] const std::vector<std::string>& guard_fields() const;

  /// Returns the values of these fields in an object of JSON, as they are read from lines of JSON.
  /// A field that the object does not have is missing. Returns an Error if it is not an object.
  [[nodiscard]] Result<std::vector<FieldText>> GuardValues(std::string_view object) const;

  /// Adds a batch: all of it or, on an Error, nothing. It is durable when this returns. Documents
  /// are added in their order. `unless_similar`: one that reaches this resemblance with another
  /// document, of the index or earlier in the batch, is not added; a document of the same id does
  /// not count. Returns an Error if guards compare fields and a document comes without their
  /// values.
  Result<std::vector<AddAnswer>> Add(std::span<const IndexDocument> documents,
                                     std::optional<double> unless_similar = {});

  /// Adds documents in one step, however many there are. `next` appends a block, and returns false
  /// after the last one. The last change by this object: it may show the state before it from then
  /// on. Very many documents are added to a copy of the index, which then takes its place: the
  /// files that change need room twice for as long.
  Status AddAll(const std::function<Result<bool>(std::vector<DocumentToAdd>*)>& next) &&;

  /// Returns the inputs with the results of `dedup` among them replaced by the documents that each
  /// kept: the folder `kept`, which a result of another form does not have, so that reading it is
  /// an Error. REQUIRES: names of files and folders.
  static Inputs InputsOf(const Inputs& given);

  /// Adds all documents of inputs, in large steps that are each durable: costs least for very many
  /// documents. One that is there as it is costs little more than to be read, so that a load that
  /// was interrupted goes on when it is called again. Of a result of `dedup` the documents are
  /// added that it kept; of sketch files, which only an index with Kept::kNone takes, and nothing
  /// else beside them, what their sketches say. `reading`: how inputs are read, as ReadingOptions()
  /// returns it; with Options::metadata_field, that field is the metadata. `unless_similar`: as for
  /// Add. Errors: those of DocumentReader, and of Add; the steps before remain.
  Result<LoadSummary> Load(const Inputs& inputs, const Options& reading,
                           std::optional<double> unless_similar = {},
                           const Observer& observer = {});

  /// Removes documents, durably; returns how many there were.
  Result<uint64_t> Remove(std::span<const std::string> ids);

  /// Finds documents like a text. In an index with guards, only documents that no guard tells apart
  /// from it are found; this holds for all queries.
  [[nodiscard]] Result<IndexAnswer> QueryText(std::string_view text, const IndexQuery& query) const;

  /// Finds documents like a file: like the text of a page, read with `reading`, or like all bytes
  /// of any other file.
  [[nodiscard]] Result<IndexAnswer> QueryFile(const std::string& path, const Options& reading,
                                              const IndexQuery& query) const;

  /// Finds documents like each one of sketch files, and passes id and answer to `take`. The answers
  /// are estimates. Returns how many documents had too few features for it.
  Result<uint64_t> QuerySketches(
      const Inputs& files, const IndexQuery& query,
      const std::function<Status(const std::string&, const IndexAnswer&)>& take,
      const Observer& observer = {}) const;

  /// Returns true if there are sketch files among the inputs.
  static bool AreSketches(const Inputs& inputs);

  /// Finds documents like a stored one, which does not match itself. Returns an Error if there is
  /// no document with this id.
  [[nodiscard]] Result<IndexAnswer> QueryId(std::string_view id, const IndexQuery& query) const;

  [[nodiscard]] Result<std::optional<IndexedDocument>> Get(std::string_view id) const;

  /// Returns the index as it is now, to be read only: its answers stay the same whatever is added
  /// and removed meanwhile. What was removed takes room as long as there is a snapshot of it. It
  /// can outlive the index, which stays open for as long.
  [[nodiscard]] Result<Index> Snapshot() const;

  /// Passes all documents to `take`, in the order in which they were added, until it returns false.
  Status List(const std::function<bool(const IndexedDocument&)>& take) const;

  [[nodiscard]] Result<IndexStats> Stats() const;

  /// Measures the recall of queries for about `documents` stored documents.
  [[nodiscard]] Result<IndexAudit> Audit(uint64_t documents) const;

  /// Passes all clusters of two documents or more to `take`, the oldest first, until it returns
  /// false. `threshold`: cuts them at a higher threshold than the index has, from the links that
  /// are stored; parts are then named "c17/1". Memory: 16 bytes per document. Returns an Error if
  /// the index keeps no clusters.
  Status Clusters(double threshold, const std::function<bool(const IndexCluster&)>& take) const;

  /// Passes the changes of clusters after number `since` to `take`, until it returns false, each as
  /// one line of JSON: seq, change, cluster, documents, from. A change is one of added (a document
  /// alone), joined, merged (clusters `from` end in `cluster`), split (`documents` leave `from` for
  /// `cluster`) and removed.
  Status Changes(uint64_t since, const std::function<bool(std::string_view)>& take) const;

  /// Reads everything and compares it with everything else. Returns an Error that names what is
  /// wrong.
  Status Check() const;

  /// Rewrites all files, so that no byte of removed documents is left in them. Changes of clusters
  /// no longer name them either.
  Status Compact();

  /// Copies the index into a folder that does not exist, as it is now.
  Status Backup(const std::string& folder) const;

  /// Adds all documents of another index, which has the same settings, in its order.
  Status Merge(const Index& other);

  /// Makes an index of all documents of others, in their order. Of two documents with one id the
  /// later one stays. Returns an Error, and makes nothing, if their settings differ. `memory`: as
  /// Open(), for all together.
  static Status MergeAll(std::span<const std::string> from, const std::string& into,
                         uint64_t memory = 0);

  /// Returns the options with which inputs are read for this index: `given`, except for those that
  /// it fixed.
  [[nodiscard]] Options ReadingOptions(const Options& given) const;

  struct State;  ///< For the functions of the index.
  [[nodiscard]] const State& state() const { return *state_; }
  [[nodiscard]] State& state() { return *state_; }

 private:
  explicit Index(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_H_
