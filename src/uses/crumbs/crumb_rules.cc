#include "uses/crumbs/crumb_rules.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "stages/features/urls.h"

namespace lookalike {
namespace {

using Kind = CrumbPosition::Kind;
using Characters = CrumbPosition::Characters;

/// URLs that differ in more places are treated as different pages, not as one URL with crumbs.
constexpr size_t kMostPositions = 3;
/// Suggestions for one host that are examined, the best supported first.
constexpr size_t kMostSuggestions = 64;
/// Pages that two host names must have in common to be examined.
constexpr uint64_t kLeastCommonPages = 2;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

Characters CharactersOf(std::string_view value) {
  const auto all = [&](auto is) { return std::all_of(value.begin(), value.end(), is); };
  if (all(IsDigit)) return Characters::kDigits;
  if (all([](char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); })) return Characters::kHex;
  if (all([](char c) { return IsDigit(c) || (c >= 'A' && c <= 'F'); })) return Characters::kHex;
  if (all([](char c) { return IsDigit(c) || IsLetter(c); })) return Characters::kAlphanumeric;
  return Characters::kAny;
}

/// A place by name: kind, name or prefix, number of the segment, suffix.
using Place = std::tuple<Kind, std::string, uint32_t, std::string>;
using Places = std::vector<Place>;

/// A URL in parts.
struct ParsedUrl {
  std::string host;
  std::vector<std::string> segments;
  std::map<std::pair<Kind, std::string>, std::string> parameters;  ///< Name to value.
};

ParsedUrl Parse(std::string_view url, UrlTokens* scratch) {
  FindUrlTokens(url, scratch);
  ParsedUrl parsed;
  for (const ByteSpan& span : scratch->tokens) {
    const std::string token = scratch->text.substr(span.begin, span.end - span.begin);
    if (token.starts_with("//")) {
      parsed.host = token.substr(2);
    } else if (token.starts_with('/')) {
      parsed.segments.push_back(token.substr(1));
    } else {
      const size_t equals = token.find('=');
      const bool named = equals != std::string::npos;
      const Kind kind = token[0] == '?' ? Kind::kQuery : Kind::kPathParameter;
      std::string& value = parsed.parameters[{kind, named ? token.substr(1, equals - 1) : ""}];
      if (!value.empty()) value += '\n';  // a repeated name
      value += named ? token.substr(equals + 1) : token.substr(1);
    }
  }
  return parsed;
}

/// Returns the common parts of two segments before and after their difference, cut at a punctuation
/// sign or where digits follow letters.
std::pair<std::string, std::string> Surroundings(std::string_view a, std::string_view b) {
  const auto is_sign = [](char c) { return !IsDigit(c) && !IsLetter(c); };
  size_t front = 0;
  while (front < std::min(a.size(), b.size()) && a[front] == b[front]) ++front;
  size_t back = 0;
  while (back < std::min(a.size(), b.size()) - front &&
         a[a.size() - 1 - back] == b[b.size() - 1 - back]) {
    ++back;
  }
  while (back > 0 && !is_sign(a[a.size() - back])) --back;
  size_t cut = front;
  while (cut > 0 && !is_sign(a[cut - 1])) --cut;
  size_t letters = front;
  while (letters > cut && IsDigit(a[letters - 1])) --letters;
  const auto rest = [&](std::string_view text) {
    return text.substr(letters, text.size() - back - letters);
  };
  const bool numbered = letters > cut && IsLetter(a[letters - 1]) && !rest(a).empty() &&
                        !rest(b).empty() && CharactersOf(rest(a)) == Characters::kDigits &&
                        CharactersOf(rest(b)) == Characters::kDigits;
  if (numbered) cut = letters;
  return {std::string(a.substr(0, cut)), std::string(a.substr(a.size() - back))};
}

/// Returns the places where two URLs of one host differ; nothing if they do not have the same form,
/// do not differ, or differ too much.
std::optional<Places> Differences(const ParsedUrl& a, const ParsedUrl& b) {
  if (a.segments.size() != b.segments.size()) return {};
  Places places;
  for (uint32_t i = 0; i < a.segments.size(); ++i) {
    if (a.segments[i] == b.segments[i]) continue;
    const auto [prefix, suffix] = Surroundings(a.segments[i], b.segments[i]);
    places.emplace_back(Kind::kSegment, prefix, i + 1, suffix);
  }
  for (const auto& [name, value] : a.parameters) {
    const auto other = b.parameters.find(name);
    if (other != b.parameters.end() && other->second == value) continue;
    places.emplace_back(name.first, name.second, 0, "");
  }
  for (const auto& [name, value] : b.parameters) {
    if (!a.parameters.contains(name)) places.emplace_back(name.first, name.second, 0, "");
  }
  if (places.empty() || places.size() > kMostPositions) return {};
  std::sort(places.begin(), places.end());
  return places;
}

/// Returns the value of a segment between prefix and suffix, if it has them.
std::optional<std::string_view> ValueOfSegment(const CrumbPosition& position,
                                               const ParsedUrl& url) {
  if (position.segment > url.segments.size()) return {};
  const std::string_view segment = url.segments[position.segment - 1];
  const size_t around = position.prefix.size() + position.suffix.size();
  if (segment.size() <= around || !segment.starts_with(position.prefix) ||
      !segment.ends_with(position.suffix)) {
    return {};
  }
  return segment.substr(position.prefix.size(), segment.size() - around);
}

/// Returns the value at a position, if the URL has a value there that looks like the others.
std::optional<std::string_view> ValueAt(const CrumbPosition& position, const ParsedUrl& url) {
  if (position.kind != Kind::kSegment) {
    const auto found = url.parameters.find({position.kind, position.name});
    if (found == url.parameters.end()) return {};
    return found->second;
  }
  const auto value = ValueOfSegment(position, url);
  const bool alike = value && value->size() >= position.shortest &&
                     value->size() <= position.longest &&
                     CharactersOf(*value) <= position.characters;
  return alike ? value : std::nullopt;
}

CrumbPosition PositionOf(const Place& place) {
  CrumbPosition position;
  const auto& [kind, name, segment, suffix] = place;
  position.kind = kind;
  (kind == Kind::kSegment ? position.prefix : position.name) = name;
  position.segment = segment;
  position.suffix = suffix;
  return position;
}

/// A page of a host.
struct HostPage {
  const CrumbPage* page;
  ParsedUrl url;
};

/// Returns a URL without the values at some positions.
std::string Signature(const ParsedUrl& url, const std::vector<CrumbPosition>& positions) {
  std::vector<std::string> segments = url.segments;
  auto parameters = url.parameters;
  for (const CrumbPosition& position : positions) {
    if (position.kind != Kind::kSegment) {
      parameters.erase({position.kind, position.name});
    } else if (ValueAt(position, url)) {
      segments[position.segment - 1] = position.prefix + '\n' + position.suffix;
    }
  }
  std::string text;
  for (const std::string& segment : segments) (text += '/') += segment;
  for (const auto& [name, value] : parameters) {
    text += name.first == Kind::kQuery ? '?' : ';';
    ((text += name.second) += '=') += value;
  }
  return text;
}

/// The pages with one signature.
struct Bucket {
  struct Member {
    uint64_t group;
    std::string
        values;  ///< Values at the positions of the rule; empty if the URL has none of them.
    const std::string* url;
  };
  std::vector<Member> members;

  /// Returns the group with the most members; the first of several.
  [[nodiscard]] uint64_t MainGroup() const {
    std::map<uint64_t, uint64_t> counts;
    for (const Member& member : members) ++counts[member.group];
    return std::max_element(counts.begin(), counts.end(),
                            [](const auto& x, const auto& y) { return x.second < y.second; })
        ->first;
  }
};

/// Finds the rules of one host.
class HostRules {
 public:
  explicit HostRules(std::vector<HostPage> pages) : pages_(std::move(pages)) {}

  std::vector<CrumbRule> Run() {
    Suggest();
    std::set<Places> tried;
    for (const Places& places : Ordered()) {
      Places left;
      std::set_difference(places.begin(), places.end(), accepted_places_.begin(),
                          accepted_places_.end(), std::back_inserter(left));
      if (left.empty() || !tried.insert(left).second) continue;
      CrumbRule rule = Check(left);
      if (rule.objection.empty()) {
        accepted_.insert(accepted_.end(), rule.positions.begin(), rule.positions.end());
        accepted_places_.insert(left.begin(), left.end());
      }
      rules_.push_back(std::move(rule));
    }
    return std::move(rules_);
  }

 private:
  [[nodiscard]] auto KeyOf(size_t i) const {
    const HostPage& page = pages_[i];
    return std::tie(page.page->group, page.url.segments, page.url.parameters, page.page->url);
  }

  /// Compares neighbours among the sorted URLs of each group, which differ in few places.
  void Suggest() {
    std::vector<size_t> order(pages_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](size_t x, size_t y) { return KeyOf(x) < KeyOf(y); });
    for (size_t i = 1; i < order.size(); ++i) {
      if (pages_[order[i]].page->group != pages_[order[i - 1]].page->group) continue;
      Compare(pages_[order[i - 1]].url, pages_[order[i]].url);
    }
  }

  void Compare(const ParsedUrl& a, const ParsedUrl& b) {
    const auto places = Differences(a, b);
    if (!places) return;
    ++suggestions_[*places];
    for (const Place& place : *places) {
      CrumbPosition& position = shapes_.try_emplace(place, PositionOf(place)).first->second;
      if (position.kind != Kind::kSegment) continue;
      for (const ParsedUrl* url : {&a, &b}) {
        const std::string_view value = ValueOfSegment(position, *url).value_or("");
        position.characters = std::max(position.characters, CharactersOf(value));
        position.shortest = std::min<uint64_t>(position.shortest, value.size());
        position.longest = std::max<uint64_t>(position.longest, value.size());
      }
    }
  }

  /// Returns the suggestions: those with fewer positions first, then those supported by more pages.
  [[nodiscard]] std::vector<Places> Ordered() const {
    std::vector<std::pair<Places, uint64_t>> all(suggestions_.begin(), suggestions_.end());
    std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) {
      return std::pair(x.first.size(), y.second) < std::pair(y.first.size(), x.second);
    });
    if (all.size() > kMostSuggestions) all.resize(kMostSuggestions);
    std::vector<Places> places;
    for (const auto& [each, count] : all) places.push_back(each);
    return places;
  }

  [[nodiscard]] CrumbRule Check(const Places& places) const {
    CrumbRule rule;
    rule.host = pages_.front().url.host;
    for (const Place& place : places) rule.positions.push_back(shapes_.at(place));
    std::vector<CrumbPosition> dropped = accepted_;
    dropped.insert(dropped.end(), rule.positions.begin(), rule.positions.end());
    std::map<std::string, Bucket> buckets;
    std::set<std::string> values;
    for (const HostPage& page : pages_) {
      const std::string value = ValuesOf(rule, page.url);
      if (!value.empty()) values.insert(value);
      buckets[Signature(page.url, dropped)].members.push_back(
          {page.page->group, value, &page.page->url});
    }
    rule.values = values.size();
    std::set<uint64_t> contents;
    for (const auto& [signature, bucket] : buckets) Weigh(bucket, &rule, &contents);
    rule.contents = contents.size();
    Judge(&rule);
    return rule;
  }

  static std::string ValuesOf(const CrumbRule& rule, const ParsedUrl& url) {
    std::string values;
    for (const CrumbPosition& position : rule.positions) {
      const auto value = ValueAt(position, url);
      if (value) ((values += '\n') += position.prefix) += *value;
    }
    return values;
  }

  /// Adds the evidence of the pages with one signature for and against a rule.
  static void Weigh(const Bucket& bucket, CrumbRule* rule, std::set<uint64_t>* contents) {
    const uint64_t main = bucket.MainGroup();
    std::map<std::string, const std::string*> alike;  // values of the main group, with a URL each
    std::set<std::string_view> urls, main_urls;
    uint64_t pages = 0;
    for (const Bucket::Member& member : bucket.members) {
      urls.insert(*member.url);
      if (member.group != main) continue;
      main_urls.insert(*member.url);
      alike.try_emplace(member.values, member.url);
      ++pages;
    }
    const bool was_clean = rule->counter_examples == 0;
    for (const Bucket::Member& member : bucket.members) {
      if (member.group == main || main_urls.contains(*member.url)) continue;
      if (rule->counter_examples++ > 0) continue;
      rule->example_a = *alike.begin()->second;
      rule->example_b = *member.url;
    }
    if (alike.size() < 2) return;
    rule->support += pages;
    rule->fetches_saved += urls.size() - 1;
    contents->insert(main);
    if (!was_clean || rule->counter_examples > 0 || !rule->example_a.empty()) return;
    rule->example_a = *alike.begin()->second;
    rule->example_b = *std::next(alike.begin())->second;
  }

  static void Judge(CrumbRule* rule) {
    if (rule->counter_examples > 0) {
      rule->objection = "it would merge pages that are not alike";
    } else if (rule->contents < kLeastCrumbContents) {
      rule->objection = "several of its values were seen for only one page";
    } else if (rule->values < kLeastCrumbValues) {
      rule->objection = "it has too few values to change with every visit";
    }
  }

  std::vector<HostPage> pages_;
  std::map<Places, uint64_t> suggestions_;
  std::map<Place, CrumbPosition> shapes_;
  std::vector<CrumbPosition> accepted_;
  std::set<Place> accepted_places_;
  std::vector<CrumbRule> rules_;
};

using Hosts = std::map<std::string, std::vector<HostPage>>;

/// Returns the end of a host name's first label; nothing unless a name of two labels is left.
std::optional<size_t> EndOfLabel(std::string_view host) {
  const size_t dot = host.find('.');
  if (dot == 0 || dot == host.npos || host.find('.', dot + 1) == host.npos) return {};
  const std::string_view rest = host.substr(dot + 1);
  const bool is_number = std::all_of(rest.begin(), rest.end(),
                                     [](char c) { return IsDigit(c) || c == '.' || c == ':'; });
  return is_number ? std::nullopt : std::optional(dot);
}

/// Groups hosts that are equal after their first label. The label becomes the first segment of the
/// path.
Hosts SitesOf(const Hosts& hosts) {
  std::map<std::string, std::vector<const Hosts::value_type*>> members;
  for (const auto& host : hosts) {
    const auto end = EndOfLabel(host.first);
    if (end) members[host.first.substr(*end + 1)].push_back(&host);
  }
  Hosts sites;
  for (const auto& [name, of_site] : members) {
    if (of_site.size() < kLeastCrumbValues) continue;
    for (const auto* host : of_site) {
      for (HostPage page : host->second) {
        page.url.segments.insert(page.url.segments.begin(),
                                 page.url.host.substr(0, *EndOfLabel(page.url.host)));
        page.url.host = name;
        sites[name].push_back(std::move(page));
      }
    }
  }
  return sites;
}

/// Turns a rule of a site, whose first segment is the host's label, into a rule about that label.
/// Returns nothing if the rule does not change the label.
std::optional<CrumbRule> OfHostLabel(CrumbRule rule) {
  bool of_label = false;
  for (CrumbPosition& position : rule.positions) {
    if (position.kind != Kind::kSegment) continue;
    if (--position.segment > 0) continue;
    position.kind = Kind::kHostLabel;
    of_label = true;
  }
  return of_label ? std::optional(std::move(rule)) : std::nullopt;
}

/// Finds pairs of host names that have the same pages at the same addresses.
class AliasRules {
 public:
  /// `rules`: the rules found so far; the parts of URLs that they allow to vary are ignored.
  AliasRules(const Hosts& hosts, const std::vector<CrumbRule>& rules) {
    for (const CrumbRule& rule : rules) {
      if (!rule.objection.empty()) continue;
      auto& positions = accepted_[rule.host];
      positions.insert(positions.end(), rule.positions.begin(), rule.positions.end());
    }
    for (const auto& [name, pages] : hosts) {
      const std::string known_as = NameOf(name);
      auto& host = hosts_[known_as];
      for (const HostPage& page : pages) {
        host.push_back({Signature(page.url, accepted_[name]), page.page->group, &page.page->url});
      }
    }
    for (auto& [name, pages] : hosts_) std::sort(pages.begin(), pages.end());
  }

  std::vector<CrumbRule> Run() const {
    std::vector<CrumbRule> rules;
    for (const auto& [a, b] : Suggestions()) rules.push_back(Check(a, b));
    return rules;
  }

 private:
  struct Page {
    std::string signature;
    uint64_t group;
    const std::string* url;
    bool operator<(const Page& other) const {
      return std::tie(signature, group, *url) < std::tie(other.signature, other.group, *other.url);
    }
  };
  using Names = std::pair<std::string, std::string>;

  /// Returns the name of a host; hosts of a site that differ only in a session id share a name.
  [[nodiscard]] std::string NameOf(const std::string& host) const {
    const auto end = EndOfLabel(host);
    if (!end) return host;
    const auto found = accepted_.find(host.substr(*end + 1));
    if (found == accepted_.end()) return host;
    ParsedUrl label;
    label.segments = {host.substr(0, *end)};
    for (CrumbPosition position : found->second) {
      if (position.kind != Kind::kHostLabel) continue;
      position.kind = Kind::kSegment;
      position.segment = 1;
      if (ValueAt(position, label)) {
        return position.prefix + "*" + position.suffix + host.substr(*end);
      }
    }
    return host;
  }

  /// Returns pairs of names that have several pages in common, the most first. Only neighbouring
  /// names of a page are paired, so that many names of one host form a chain.
  [[nodiscard]] std::vector<Names> Suggestions() const {
    std::map<std::pair<std::string_view, uint64_t>, std::string_view> last;
    std::map<Names, uint64_t> counts;
    for (const auto& [name, pages] : hosts_) {
      std::pair<std::string_view, uint64_t> before;
      for (const Page& page : pages) {
        const std::pair<std::string_view, uint64_t> content(page.signature, page.group);
        if (&page != &pages.front() && content == before) continue;
        before = content;
        const auto [at, fresh] = last.try_emplace(content, name);
        if (fresh) continue;
        ++counts[{std::string(at->second), name}];
        at->second = name;
      }
    }
    std::vector<std::pair<Names, uint64_t>> all(counts.begin(), counts.end());
    std::erase_if(all, [](const auto& one) { return one.second < kLeastCommonPages; });
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& x, const auto& y) { return x.second > y.second; });
    if (all.size() > kMostSuggestions) all.resize(kMostSuggestions);
    std::vector<Names> names;
    for (const auto& [each, count] : all) names.push_back(each);
    std::sort(names.begin(), names.end());
    return names;
  }

  [[nodiscard]] CrumbRule Check(const std::string& a, const std::string& b) const {
    CrumbRule rule;
    rule.host = a;
    rule.positions = {{.kind = Kind::kAlias, .name = b}};
    rule.values = 2;
    const std::vector<Page>&x = hosts_.at(a), &y = hosts_.at(b);
    std::set<uint64_t> contents;
    for (size_t i = 0, j = 0; i < x.size() && j < y.size();) {
      const int order = x[i].signature.compare(y[j].signature);
      if (order != 0) {
        ++(order < 0 ? i : j);
        continue;
      }
      const auto end_of = [](const std::vector<Page>& pages, size_t at) {
        size_t end = at;
        while (end < pages.size() && pages[end].signature == pages[at].signature) ++end;
        return end;
      };
      const size_t x_end = end_of(x, i), y_end = end_of(y, j);
      Weigh({&x[i], x_end - i}, {&y[j], y_end - j}, &rule, &contents);
      i = x_end;
      j = y_end;
    }
    rule.contents = contents.size();
    if (rule.counter_examples > 0) {
      rule.objection = "the two names have different pages at the same address";
    } else if (rule.contents < kLeastAliasContents) {
      rule.objection = "the two names agree on too few pages";
    }
    return rule;
  }

  /// Adds the evidence of the pages at one address.
  static void Weigh(std::span<const Page> x, std::span<const Page> y, CrumbRule* rule,
                    std::set<uint64_t>* contents) {
    const auto common = std::find_if(x.begin(), x.end(), [&](const Page& page) {
      return std::any_of(y.begin(), y.end(),
                         [&](const Page& other) { return other.group == page.group; });
    });
    const bool agree = common != x.end();
    const bool first =
        agree ? rule->support == 0 && rule->counter_examples == 0 : rule->counter_examples == 0;
    if (first) {
      rule->example_a = *(agree ? *common : x.front()).url;
      rule->example_b = *y.front().url;
    }
    if (!agree) {
      ++rule->counter_examples;
      return;
    }
    rule->support += x.size() + y.size();
    ++rule->fetches_saved;
    contents->insert(common->group);
  }

  std::map<std::string, std::vector<CrumbPosition>> accepted_;
  std::map<std::string, std::vector<Page>> hosts_;
};

}  // namespace

std::string CrumbPosition::ToString() const {
  switch (kind) {
    case Kind::kQuery:
      return name.empty() ? "?*" : "?" + name + "=*";
    case Kind::kPathParameter:
      return name.empty() ? ";*" : ";" + name + "=*";
    case Kind::kHostLabel:
      return "//" + prefix + "*" + suffix + ".";
    case Kind::kAlias:
      return "//" + name + "/";
    case Kind::kSegment:
      break;
  }
  return "/" + prefix + "*" + suffix + "/";
}

std::vector<CrumbRule> FindCrumbRules(const std::vector<CrumbPage>& pages) {
  Hosts hosts;
  UrlTokens scratch;
  for (const CrumbPage& page : pages) {
    if (page.url.empty()) continue;
    ParsedUrl url = Parse(page.url, &scratch);
    auto& host = hosts[url.host];
    host.push_back({&page, std::move(url)});
  }
  std::vector<CrumbRule> rules;
  for (const auto& [name, host] : hosts) {
    if (host.size() < 2) continue;
    for (CrumbRule& rule : HostRules(host).Run()) rules.push_back(std::move(rule));
  }
  for (const auto& [name, site] : SitesOf(hosts)) {
    for (CrumbRule& rule : HostRules(site).Run()) {
      if (auto of_label = OfHostLabel(std::move(rule))) rules.push_back(*std::move(of_label));
    }
  }
  for (CrumbRule& rule : AliasRules(hosts, rules).Run()) rules.push_back(std::move(rule));
  return rules;
}

}  // namespace lookalike
