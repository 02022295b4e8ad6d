// The findings of `lookalike audit`, opened so that any finding is read without the others.
#ifndef LOOKALIKE_SERVER_AUDIT_FILE_H_
#define LOOKALIKE_SERVER_AUDIT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "forms.h"
#include "lookalike/status.h"

namespace lookalike::server {

/// An open file of findings (docs/format/audit-v1.md). Keeps 8 bytes for each finding. Safe from
/// several threads; the file must stay as it is meanwhile.
class AuditFile {
 public:
  /// Returns an Error for a file that is not whole, or is about another result than the one with
  /// this hash.
  static Result<AuditFile> Open(const std::string& path, const std::string& result);

  /// Returns the last line: {"audit", "result", "list", "summary"}.
  [[nodiscard]] const Json& about() const { return about_; }

  /// Returns the number of findings of a kind, such as "false_removal".
  [[nodiscard]] uint64_t Count(std::string_view kind) const;

  /// Returns findings of a kind in the order of the file: `count` of them from the one at `first`
  /// on, or as many as there are.
  [[nodiscard]] Result<Json> Find(std::string_view kind, uint64_t first, uint64_t count) const;

 private:
  explicit AuditFile(std::string path) : path_(std::move(path)) {}

  std::string path_;
  Json about_;
  std::map<std::string, std::vector<uint64_t>, std::less<>> places_;  // by kind: of its lines
};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_AUDIT_FILE_H_
