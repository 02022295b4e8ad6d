// Tokens of URLs: the host, the segments of the path, the parameters of the query.
#ifndef LOOKALIKE_STAGES_FEATURES_URLS_H_
#define LOOKALIKE_STAGES_FEATURES_URLS_H_

#include <string>
#include <string_view>
#include <vector>

#include "stages/features/words.h"

namespace lookalike {

/// The tokens of one URL.
struct UrlTokens {
  std::string text;              ///< All tokens back to back, and 16 bytes more.
  std::vector<ByteSpan> tokens;  ///< The span of each token in `text`.
  std::vector<ByteSpan> spans;   ///< The part of the URL that each token came from; in any order.
};

/// Finds the units of url:N shingles, in this order:
/// - "//host", in lower case, with ":port" unless that is empty or the scheme's default port;
/// - "/segment" for each segment of the path, then ";parameter" for each parameter of that segment
///   (RFC 3986, section 3.3);
/// - "?name=value" for each parameter of the query, split at "&" and ";", sorted as bytes.
/// Empty parts are skipped, so that "/a/" equals "/a". Scheme, user information and fragment are
/// dropped. Tokens are normalised by RFC 3986, section 6.2.2: escapes of unreserved characters are
/// resolved, the hexadecimal digits of others are upper case, "." and ".." are removed from the
/// path; characters that are not allowed in a URL are escaped as UTF-8 (RFC 3987, section 3.1). A
/// host needs a "//" before it. White space and ASCII control characters at the ends are dropped.
/// Any text is accepted as a URL. REQUIRES: text below 1 GiB.
void FindUrlTokens(std::string_view url, UrlTokens* found);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_FEATURES_URLS_H_
