#include "stages/features/urls.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <tuple>
#include <utility>

namespace lookalike {
namespace {

constexpr size_t kReadableAfter = 16;  // HashWords reads this far past the end

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// True for the unreserved characters of RFC 3986, section 2.3.
bool IsUnreserved(char c) {
  return IsLetter(c) || IsDigit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

/// True for the reserved characters of RFC 3986, section 2.2.
bool IsReserved(char c) {
  return std::string_view(":/?#[]@!$&'()*+,;=").find(c) != std::string_view::npos;
}

int ValueOfHex(char c) {
  if (IsDigit(c)) return c - '0';
  const char low = Lower(c);
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

void AppendEscaped(char c, std::string* out) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  *out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
}

/// Appends a part of a URL in normal form.
void AppendNormal(std::string_view part, bool lower_case, std::string* out) {
  for (size_t i = 0; i < part.size(); ++i) {
    char c = part[i];
    bool escaped = !IsUnreserved(c) && !IsReserved(c);
    if (c == '%' && i + 2 < part.size()) {
      const int high = ValueOfHex(part[i + 1]), low = ValueOfHex(part[i + 2]);
      if (high >= 0 && low >= 0) {
        c = static_cast<char>(high * 16 + low);
        escaped = !IsUnreserved(c);
        i += 2;
      }
    }
    if (escaped) {
      AppendEscaped(c, out);
    } else {
      *out += lower_case ? Lower(c) : c;
    }
  }
}

/// Returns the front of `rest` up to the first of these characters, or all of it, and moves `rest`
/// past that character.
std::string_view CutAt(std::string_view characters, std::string_view* rest) {
  const size_t end = std::min(rest->find_first_of(characters), rest->size());
  const std::string_view front = rest->substr(0, end);
  rest->remove_prefix(std::min(end + 1, rest->size()));
  return front;
}

class UrlReader {
 public:
  UrlReader(std::string_view url, UrlTokens* found) : url_(url), found_(*found) {
    found_.text.clear();
    found_.tokens.clear();
    found_.spans.clear();
  }

  void Run() {
    std::string_view rest = Trim(url_);
    rest = rest.substr(0, rest.find('#'));
    const std::string scheme = TakeScheme(&rest);
    if (rest.starts_with("//")) {
      rest.remove_prefix(2);
      const size_t end = std::min(rest.find_first_of("/?"), rest.size());
      AddAuthority(rest.substr(0, end), scheme);
      rest.remove_prefix(end);
    }
    AddPath(rest.substr(0, rest.find('?')));
    AddQuery(rest.substr(std::min(rest.find('?'), rest.size())));
    found_.text.append(kReadableAfter, '\0');
  }

 private:
  static std::string_view Trim(std::string_view text) {
    const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
  }

  static std::string TakeScheme(std::string_view* rest) {
    size_t end = 0;
    const auto in_scheme = [&](char c) {
      return IsLetter(c) || (end > 0 && (IsDigit(c) || c == '+' || c == '-' || c == '.'));
    };
    while (end < rest->size() && in_scheme((*rest)[end])) ++end;
    if (end == 0 || end == rest->size() || (*rest)[end] != ':') return {};
    std::string scheme(rest->substr(0, end));
    std::transform(scheme.begin(), scheme.end(), scheme.begin(), Lower);
    rest->remove_prefix(end + 1);
    return scheme;
  }

  static bool IsDefaultPort(std::string_view port, std::string_view scheme) {
    constexpr std::pair<std::string_view, std::string_view> kPorts[] = {
        {"http", "80"}, {"https", "443"}, {"ws", "80"}, {"wss", "443"}, {"ftp", "21"}};
    return port.empty() ||
           std::any_of(std::begin(kPorts), std::end(kPorts), [&](const auto& known) {
             return known.first == scheme && known.second == port;
           });
  }

  void AddAuthority(std::string_view authority, std::string_view scheme) {
    authority.remove_prefix(authority.rfind('@') + 1);  // npos + 1 is 0
    std::string_view host = authority, port;
    const size_t colon = authority.rfind(':');  // in [::1] the last one is before the bracket
    if (colon != std::string_view::npos &&
        std::all_of(authority.begin() + static_cast<ptrdiff_t>(colon) + 1, authority.end(),
                    IsDigit)) {
      host = authority.substr(0, colon);
      port = authority.substr(colon + 1);
    }
    if (host.empty()) return;
    Begin();
    found_.text += "//";
    AppendNormal(host, true, &found_.text);
    if (!IsDefaultPort(port, scheme)) (found_.text += ':') += port;
    End(host);
  }

  /// Applies RFC 3986, section 5.2.4, to whole segments with their escapes resolved.
  void AddPath(std::string_view path) {
    std::vector<std::string_view> segments;
    while (!path.empty()) {
      const std::string_view segment = CutAt("/", &path);
      std::string normal;
      if (segment.size() <= 6) AppendNormal(segment, false, &normal);  // %2E%2E has six bytes
      if (normal == "..") {
        if (!segments.empty()) segments.pop_back();
      } else if (!segment.empty() && normal != ".") {
        segments.push_back(segment);
      }
    }
    for (std::string_view segment : segments) {
      Add('/', CutAt(";", &segment));
      while (!segment.empty()) Add(';', CutAt(";", &segment));
    }
  }

  void AddQuery(std::string_view query) {
    const size_t first = found_.tokens.size();
    if (!query.empty()) query.remove_prefix(1);
    while (!query.empty()) Add('?', CutAt("&;", &query));
    std::vector<std::pair<ByteSpan, ByteSpan>> sorted;
    for (size_t i = first; i < found_.tokens.size(); ++i) {
      sorted.emplace_back(found_.tokens[i], found_.spans[i]);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const auto& x, const auto& y) { return Of(x.first) < Of(y.first); });
    for (size_t i = first; i < found_.tokens.size(); ++i) {
      std::tie(found_.tokens[i], found_.spans[i]) = sorted[i - first];
    }
  }

  void Add(char mark, std::string_view part) {
    if (part.empty()) return;
    Begin();
    found_.text += mark;
    AppendNormal(part, false, &found_.text);
    End(part);
  }

  void Begin() { begin_ = static_cast<uint32_t>(found_.text.size()); }

  /// Completes the token that was begun last. `part`: the part of the URL that it came from.
  void End(std::string_view part) {
    found_.tokens.push_back({begin_, static_cast<uint32_t>(found_.text.size())});
    const auto begin = static_cast<uint32_t>(part.data() - url_.data());
    found_.spans.push_back({begin, begin + static_cast<uint32_t>(part.size())});
  }

  [[nodiscard]] std::string_view Of(const ByteSpan& token) const {
    return std::string_view(found_.text).substr(token.begin, token.end - token.begin);
  }

  std::string_view url_;
  UrlTokens& found_;
  uint32_t begin_ = 0;
};

}  // namespace

void FindUrlTokens(std::string_view url, UrlTokens* found) { UrlReader(url, found).Run(); }

}  // namespace lookalike
