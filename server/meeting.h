// Why a search met two documents.
#ifndef LOOKALIKE_SERVER_MEETING_H_
#define LOOKALIKE_SERVER_MEETING_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "forms.h"
#include "lookalike/fingerprint.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike::server {

/// The search that made a result. Safe from several threads.
class Meeting {
 public:
  /// `design`: that of the result's manifest. Returns nothing for a search by other means than
  /// keys or features.
  static std::optional<Meeting> Of(Options options, const std::string& design);

  /// Returns {"by", "shared", "keys", "probability"}: the band keys that both texts have, and how
  /// probable it is that two texts of such a resemblance have one in common. `by` is "keys",
  /// "features" if one has so few that it is searched by them, "comparison" if all pairs are
  /// compared, and "nothing" if one has none.
  [[nodiscard]] Result<Json> Explain(std::string_view a, std::string_view b,
                                     double resemblance) const;

 private:
  explicit Meeting(Fingerprinter fingerprinter) : fingerprinter_(std::move(fingerprinter)) {}

  Fingerprinter fingerprinter_;
};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_MEETING_H_
