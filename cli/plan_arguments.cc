#include "plan_arguments.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace lookalike::cli {
namespace {

template <class Number>
bool Parse(std::string_view text, Number* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

std::vector<std::string_view> SplitAtCommas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Parses numbers from 0 to 1, separated by commas.
bool ParseShares(std::string_view text, std::vector<double>* shares) {
  shares->clear();
  for (const std::string_view part : SplitAtCommas(text)) {
    double share = 0;
    if (!Parse(part, &share) || !(share >= 0 && share <= 1)) return false;
    shares->push_back(share);
  }
  return true;
}

bool SetPart(std::string_view name, std::string_view value, DesignGoal* goal) {
  if (name == "bytes") return Parse(value, &goal->bytes);
  if (name == "at") return Parse(value, &goal->at);
  if (name == "keys") return Parse(value, &goal->keys);
  if (name == "coordinates") return Parse(value, &goal->coordinates);
  return name == "accidental" && Parse(value, &goal->accidental);
}

}  // namespace

bool SetAt(std::string_view text, Request* request) { return ParseShares(text, &request->at); }

bool SetFound(std::string_view text, Request* request) {
  return ParseShares(text, &request->found);
}

bool SetSimulate(std::string_view text, Request* request) {
  return Parse(text, &request->simulated_pairs) && request->simulated_pairs > 0;
}

bool SetFeatures(std::string_view text, Request* request) {
  return Parse(text, &request->features) && request->features > 0;
}

bool SetHtml(std::string_view text, Request* request) {
  request->html = text;
  return !text.empty();
}

bool SetOptimize(std::string_view text, Request* request) {
  request->goal.emplace();
  for (const std::string_view part : SplitAtCommas(text)) {
    const size_t equals = part.find('=');
    if (equals == part.npos) return false;
    if (!SetPart(part.substr(0, equals), part.substr(equals + 1), &*request->goal)) return false;
  }
  return true;
}

bool SetEdits(std::string_view, Request* request) { return request->edits = true; }

bool SetWords(std::string_view text, Request* request) {
  return Parse(text, &request->words) && request->words > 0;
}

}  // namespace lookalike::cli
