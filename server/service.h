// The operations of the server on an index. Nothing here knows of connections.
#ifndef LOOKALIKE_SERVER_SERVICE_H_
#define LOOKALIKE_SERVER_SERVICE_H_

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "answer.h"
#include "growth.h"
#include "lookalike/index.h"
#include "meeting.h"
#include "metrics.h"
#include "operations.h"

namespace lookalike::server {

struct Call;

struct ServiceSettings {
  std::string backups;  ///< The folder in which backups are made; empty: none can be asked for.
};

/// Answers calls whose form was checked. Safe from several threads.
class Service {
 public:
  /// `log`: called with messages for whoever runs the server.
  Service(Index index, ServiceSettings settings, std::function<void(const std::string&)> log)
      : index_(std::move(index)), settings_(std::move(settings)), log_(std::move(log)) {
    NoteGrowth();
  }

  /// Makes comparisons say why a search met the two. Called before the first request.
  void ExplainBy(Meeting meeting) { meeting_ = std::move(meeting); }

  Answer PutDocument(const Call& call);
  Answer GetDocument(const Call& call);
  Answer DeleteDocument(const Call& call);
  Answer AddBatch(const Call& call);
  Answer Query(const Call& call);
  Answer QueryBatch(const Call& call);
  Answer Compare(const Call& call);
  Answer CompareAll(const Call& call);
  Answer ListClusters(const Call& call);
  Answer GetCluster(const Call& call);
  Answer ListChanges(const Call& call);
  Answer Stats(const Call& call);
  Answer GetGrowth(const Call& call);
  Answer Compact(const Call& call);
  Answer Backup(const Call& call);
  Answer GetOperation(const Call& call);
  Answer Live(const Call& call);
  Answer Ready(const Call& call);
  Answer WriteMetrics(const Call& call);

  [[nodiscard]] Metrics& metrics() { return metrics_; }

  /// Tells whoever runs the server of a failure.
  void Tell(const std::string& message) const { log_(message); }

  /// Returns the threshold of the index.
  [[nodiscard]] double threshold() const { return index_.settings().options.threshold; }

  /// Refuses new operations, and says that the server is not ready.
  void BeginStop() { stopping_ = true; }

  [[nodiscard]] bool stopping() const { return stopping_; }

  /// Waits until no operation runs.
  void FinishOperations() { operations_.Finish(); }

  /// Stores documents, or says why it cannot.
  Status Store(std::span<const IndexDocument> documents);

  /// Returns the metadata of a document; none if there is no such document.
  [[nodiscard]] Result<std::optional<std::string>> MetadataOf(std::string_view id) const;

  /// Returns the text of a document; none if there is no such document, or no text is kept.
  [[nodiscard]] Result<std::optional<std::string>> TextOf(std::string_view id) const;

  /// Returns the answer to a request that failed, and tells of defects.
  Answer Fail(const Error& error) const;

 private:
  /// Notes how many documents there are, after a change.
  void NoteGrowth();

  /// Sets `text` to that of a document. Returns the answer to a request for one without a text.
  std::optional<Answer> FindText(const std::string& id, std::string* text) const;
  Answer Start(const std::string& kind, std::function<Status()> work);
  [[nodiscard]] bool ContainsByDefault() const;

  Index index_;
  ServiceSettings settings_;
  std::optional<Meeting> meeting_;
  Growth growth_;
  std::function<void(const std::string&)> log_;
  Metrics metrics_;
  std::atomic<bool> stopping_ = false;
  Operations operations_;
};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_SERVICE_H_
