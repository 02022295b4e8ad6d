// The operations of the server on a batch result.
#ifndef LOOKALIKE_SERVER_RESULT_SERVICE_H_
#define LOOKALIKE_SERVER_RESULT_SERVICE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer.h"
#include "audit_file.h"
#include "cluster_query.h"
#include "lookalike/decisions.h"
#include "lookalike/result_lists.h"
#include "result_texts.h"
#include "service.h"

namespace lookalike::server {

struct ResultSettings {
  std::string name;                     ///< The folder of the result, as people know it.
  std::string decisions;                ///< The file of decisions.
  std::vector<std::string> agree = {};  ///< Fields in which documents of a cluster should agree.
};

/// Answers calls about a result. Safe from several threads.
class ResultService {
 public:
  /// `service` has the documents whose texts were read; it outlives this.
  ResultService(ResultLists lists, ResultSettings settings, Service* service);

  /// Tells that texts are read, by `texts`, which outlives this. Called before the first request.
  void ShowTexts(const ResultTexts* texts) { texts_ = texts; }

  /// Shows what an audit found. Called before the first request.
  void ShowAudit(AuditFile audit) { audit_ = std::move(audit); }

  [[nodiscard]] const ResultLists& lists() const { return lists_; }

  Answer GetResult(const Call& call);
  Answer GetReport(const Call& call);
  Answer ListGuarded(const Call& call);
  Answer FindClusters(const Call& call);
  Answer GetCluster(const Call& call);
  Answer ListConflicts(const Call& call);
  Answer ListDecisions(const Call& call);
  Answer Decide(const Call& call);
  Answer TakeBack(const Call& call);
  Answer GetAudit(const Call& call);
  Answer ListFindings(const Call& call);

 private:
  /// Figures of a cluster for a list.
  struct Summary {
    uint64_t near = 0, copies = 0;
    double lowest = 2, highest = -1;  ///< Scores of near-duplicates.
  };
  [[nodiscard]] Result<Summary> SummaryOf(const ListedCluster& cluster);
  /// Adds to `looked_at` what it cost, in documents.
  [[nodiscard]] Result<bool> Matches(const ClusterQuery& query, const ListedCluster& cluster,
                                     bool decided, uint64_t* looked_at) const;
  [[nodiscard]] Result<std::vector<ListedDocument>> DocumentsOf(
      const Decision& decision, const std::vector<std::string>& keys) const;
  [[nodiscard]] Status FindDocuments(
      uint64_t cluster, std::map<std::string, std::optional<ListedDocument>>* wanted) const;
  [[nodiscard]] Result<std::vector<Decision>> Decisions() const;
  [[nodiscard]] Result<std::vector<ListedReason>> Rejections();

  ResultLists lists_;
  ResultSettings settings_;
  const ResultTexts* texts_ = nullptr;  ///< Null: no inputs were given.
  std::optional<AuditFile> audit_;
  Service& service_;
  std::mutex mutex_;                                     ///< For what follows.
  std::optional<std::vector<ListedReason>> rejections_;  ///< Read when asked for.
  std::vector<std::unique_ptr<Summary>> summaries_;  ///< By cluster, from 0; made when asked for.
};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_RESULT_SERVICE_H_
