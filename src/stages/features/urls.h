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
  std::string text;              ///< All of them one after the other, and 16 bytes more.
  std::vector<ByteSpan> tokens;  ///< Of each, in `text`.
  std::vector<ByteSpan> spans;   ///< Where each comes from in the URL. They need not ascend.
};

/// Finds the units of url:N shingles, in this order:
/// - "//host", in lower case, with ":port" unless that is empty or the scheme's default port;
/// - "/segment" for each segment of the path, ";parameter" for each that a segment has (RFC 3986,
///   section 3.3);
/// - "?name=value" for each parameter of the query, at "&" and ";", sorted as bytes.
/// Empty ones are none, so that "/a/" is "/a". Scheme, user information and fragment are dropped.
/// Normalised as RFC 3986, section 6.2.2 has it: escapes of unreserved characters are resolved, the
/// digits of others in upper case, "." and ".." taken out of the path; characters that no URL may
/// have are escaped as UTF-8 (RFC 3987, section 3.1). There is a host only after "//". White space
/// and control characters of ASCII at the ends are no part of it. Any text is a URL in this sense.
/// REQUIRES: text below 1 GiB.
void FindUrlTokens(std::string_view url, UrlTokens* found);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_FEATURES_URLS_H_
