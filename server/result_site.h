// A batch result with all that serving it takes.
#ifndef LOOKALIKE_SERVER_RESULT_SITE_H_
#define LOOKALIKE_SERVER_RESULT_SITE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "endpoints.h"
#include "lookalike/inputs.h"
#include "lookalike/status.h"

namespace lookalike::server {

/// Returns a folder as files beside it are named: without slashes at its end, and "." by its name.
std::string FolderName(const std::string& folder);

struct ResultPlace {
  std::string folder;                                  ///< That a run made.
  Inputs inputs = Inputs(std::vector<std::string>());  ///< None: no texts are shown.
  std::string decisions;  ///< The file of decisions; empty: FOLDER.decisions.jsonl.
  std::string audit;      ///< The file of `lookalike audit`; empty: FOLDER.audit.jsonl, if any.
  std::string texts;      ///< The folder in which texts stay; empty: a temporary one.
  std::vector<std::string> agree;  ///< Fields in which the documents of a cluster should agree.
  uint64_t memory = 0;             ///< As for Index::Open.
};

/// An open result, and an index of the texts that it was made from: pages compare them by the
/// result's own rules. The texts are read while requests are answered.
class ResultSite {
 public:
  static Result<std::unique_ptr<ResultSite>> Open(
      const ResultPlace& place, const std::function<void(const std::string&)>& log);
  ~ResultSite();

  [[nodiscard]] Served served();

 private:
  struct Parts;
  explicit ResultSite(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_RESULT_SITE_H_
