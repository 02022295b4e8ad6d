#include "endpoints.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "answer_forms.h"
#include "explorer.h"
#include "request_forms.h"

namespace lookalike::server {
namespace {

using When = std::pair<int, std::string_view>;
constexpr When kDone[] = {{200, "Done."}};
constexpr When kPut[] = {{201, "The document was added."},
                         {200, "It was replaced, unchanged, or left out as similar."}};
constexpr When kFound[] = {{200, "Found."}, {404, "There is none."}};
constexpr When kAnswered[] = {{200, "The matches, best first, ties by id."},
                              {404, "There is no document with this id."},
                              {409, "Passages are asked for, and the index keeps no texts."}};
constexpr When kCompared[] = {
    {200, "The measures, the passages that both texts have, and what guards would find different."},
    {404, "There is no document with this id."},
    {409, "The index keeps no texts."}};
constexpr When kDecided[] = {{201, "The decision was stored."},
                             {200, "It was there already."},
                             {404, "There is no such cluster."}};
constexpr When kStarted[] = {{202, "It was started; Location says where to look at it."},
                             {409, "It cannot be started now."}};
constexpr When kReady[] = {{200, "Yes."}, {503, "Not now."}};

constexpr std::span<const Field> kNoParameters = {};
constexpr auto kReadOrAdmin = static_cast<Scope>(kRead | kAdmin);

template <Answer (Service::*kMethod)(const Call&)>
Answer Ask(const Served& served, const Call& call) {
  return (served.service->*kMethod)(call);
}

template <Answer (ResultService::*kMethod)(const Call&)>
Answer AskResult(const Served& served, const Call& call) {
  return (served.result->*kMethod)(call);
}

Answer DescribeApi(const Served& served, const Call& /*call*/) { return {200, OpenApi(served)}; }

template <ExplorerFile kFile>
Answer SendFile(const Served& /*served*/, const Call& /*call*/) {
  return FileOfExplorer(kFile);
}

constexpr Endpoint kEndpoints[] = {
    {"PUT", "/v1/documents/{id}", kWrite, "putDocument", "Adds a document, or replaces it.",
     kUnlessSimilar, &kNewDocument, false, kPut, &forms::kOutcome, Ask<&Service::PutDocument>,
     Queue::kWaits, Where::kIndex},
    {"GET", "/v1/documents/{id}", kRead, "getDocument", "Returns a document as it is stored.",
     kNoParameters, nullptr, false, kFound, &forms::kStoredDocument, Ask<&Service::GetDocument>},
    {"DELETE", "/v1/documents/{id}", kWrite, "deleteDocument", "Removes a document.", kNoParameters,
     nullptr, false, kFound, &forms::kRemoved, Ask<&Service::DeleteDocument>, Queue::kWaits,
     Where::kIndex},
    {"POST", "/v1/documents:batch", kWrite, "addDocuments",
     "Adds documents: all of them, or none if one cannot be added.", kUnlessSimilar, &kBatch, true,
     kDone, &forms::kOutcomes, Ask<&Service::AddBatch>, Queue::kWaits, Where::kIndex},
    {"POST", "/v1/query", kRead, "query", "Finds the documents that are like a text or a document.",
     kNoParameters, &kQuery, false, kAnswered, &forms::kMatches, Ask<&Service::Query>},
    {"POST", "/v1/query:batch", kRead, "queryBatch", "Answers several queries.", kNoParameters,
     &kQueries, false, kDone, &forms::kAnswers, Ask<&Service::QueryBatch>},
    {"POST", "/v1/compare", kRead, "compare", "Compares two texts with the rules of the index.",
     kNoParameters, &kSides, false, kCompared, &forms::kComparison, Ask<&Service::Compare>},
    {"POST", "/v1/compare:all", kRead, "compareAll",
     "Compares some documents, each with all others: scores[i][j] is the resemblance of i and j, "
     "or the share of i that j contains.",
     kNoParameters, &kSeveral, false, kCompared, &forms::kScores, Ask<&Service::CompareAll>},
    {"GET", "/v1/clusters", kRead, "listClusters",
     "Lists the clusters of similar documents, the oldest first.", kClusterParameters, nullptr,
     false, kDone, &forms::kIndexClusters, Ask<&Service::ListClusters>, Queue::kWaits,
     Where::kIndex},
    {"GET", "/v1/clusters/{id}", kRead, "getCluster", "Returns a cluster.", kOneClusterParameters,
     nullptr, false, kFound, &forms::kIndexCluster, Ask<&Service::GetCluster>, Queue::kWaits,
     Where::kIndex},
    {"GET", "/v1/changes", kRead, "listChanges", "Lists the changes of clusters, in order.",
     kChangesParameters, nullptr, false, kDone, &forms::kChanges, Ask<&Service::ListChanges>,
     Queue::kWaits, Where::kIndex},
    {"GET", "/v1/stats", kRead, "getStats", "Returns the size of the index, and its rules.",
     kStatsParameters, nullptr, false, kDone, &forms::kStats, Ask<&Service::Stats>},
    {"GET", "/v1/growth", kRead, "getGrowth",
     "Returns the number of documents over the time since the server began: pairs of seconds since "
     "1970 and documents.",
     kNoParameters, nullptr, false, kDone, &forms::kGrowth, Ask<&Service::GetGrowth>, Queue::kWaits,
     Where::kIndex},
    {"POST", "/v1/admin/compact", kAdmin, "compact",
     "Rewrites all files, so that no byte of removed documents is left.", kNoParameters, &kNothing,
     false, kStarted, &forms::kOperation, Ask<&Service::Compact>, Queue::kWaits, Where::kIndex},
    {"POST", "/v1/admin/backup", kAdmin, "backup", "Copies the index as it is now.", kNoParameters,
     &kBackup, false, kStarted, &forms::kOperation, Ask<&Service::Backup>, Queue::kWaits,
     Where::kIndex},
    {"GET", "/v1/operations/{number}", kReadOrAdmin, "getOperation",
     "Returns the state of an operation.", kNoParameters, nullptr, false, kFound,
     &forms::kOperation, Ask<&Service::GetOperation>, Queue::kNone, Where::kIndex},
    {"GET", "/v1/result", kRead, "getResult", "Returns the figures of the result.", kNoParameters,
     nullptr, false, kDone, &forms::kResult, AskResult<&ResultService::GetResult>, Queue::kWaits,
     Where::kResult},
    {"GET", "/v1/result/report", kRead, "getReport", "Returns the data of report.html.",
     kNoParameters, nullptr, false, kFound, &forms::kReport, AskResult<&ResultService::GetReport>,
     Queue::kWaits, Where::kResult},
    {"GET", "/v1/result/guarded", kRead, "listGuarded",
     "Lists the pairs of documents that stay although they are alike, because a guard tells them "
     "apart.",
     kGuardedParameters, nullptr, false, kDone, &forms::kGuardedPairs,
     AskResult<&ResultService::ListGuarded>, Queue::kWaits, Where::kResult},
    {"GET", "/v1/result/clusters", kRead, "findClusters",
     "Finds clusters, the largest first. It looks at a part of them at a time: go on with "
     "`after` until `next` is null.",
     kFindParameters, nullptr, false, kDone, &forms::kClusters,
     AskResult<&ResultService::FindClusters>, Queue::kWaits, Where::kResult},
    {"GET", "/v1/result/clusters/{number}", kRead, "getResultCluster",
     "Returns a cluster with the documents that were removed.", kMemberParameters, nullptr, false,
     kFound, &forms::kCluster, AskResult<&ResultService::GetCluster>, Queue::kWaits,
     Where::kResult},
    {"GET", "/v1/result/clusters/{number}/conflicts", kRead, "listConflicts",
     "Returns in which fields of --agree the documents of a cluster differ. It looks at the first "
     "thousand of them, as far as they were read.",
     kNoParameters, nullptr, false, kFound, &forms::kConflicts,
     AskResult<&ResultService::ListConflicts>, Queue::kWaits, Where::kResult},
    {"GET", "/v1/result/audit", kRead, "getAudit",
     "Returns the figures of the audit of another program's list.", kNoParameters, nullptr, false,
     kFound, &forms::kAudit, AskResult<&ResultService::GetAudit>, Queue::kWaits, Where::kResult},
    {"GET", "/v1/result/audit/findings", kRead, "listFindings",
     "Lists what the audit found, of one kind, in input order.", kFindingParameters, nullptr, false,
     kFound, &forms::kFindings, AskResult<&ResultService::ListFindings>, Queue::kWaits,
     Where::kResult},
    {"GET", "/v1/result/decisions", kRead, "listDecisions", "Lists what people decided.",
     kNoParameters, nullptr, false, kDone, &forms::kDecisions,
     AskResult<&ResultService::ListDecisions>, Queue::kWaits, Where::kResult},
    {"POST", "/v1/result/decisions", kWrite, "decide", "Stores a decision.", kNoParameters,
     &kDecision, false, kDecided, &forms::kStoredDecision, AskResult<&ResultService::Decide>,
     Queue::kWaits, Where::kResult},
    {"DELETE", "/v1/result/decisions/{number}", kWrite, "takeBack", "Takes a decision back.",
     kNoParameters, nullptr, false, kFound, &forms::kRemoved, AskResult<&ResultService::TakeBack>,
     Queue::kWaits, Where::kResult},
    {"GET", "/healthz", kAnyone, "getHealth", "Says that the server answers.", kNoParameters,
     nullptr, false, kDone, &forms::kState, Ask<&Service::Live>, Queue::kNone},
    {"GET", "/livez", kAnyone, "getLiveness", "Says that the server answers.", kNoParameters,
     nullptr, false, kDone, &forms::kState, Ask<&Service::Live>, Queue::kNone},
    {"GET", "/readyz", kAnyone, "getReadiness", "Says whether requests are taken.", kNoParameters,
     nullptr, false, kReady, &forms::kState, Ask<&Service::Ready>, Queue::kNone},
    {"GET", "/metrics", kRead, "getMetrics", "Returns figures for Prometheus.", kNoParameters,
     nullptr, false, kDone, nullptr, Ask<&Service::WriteMetrics>, Queue::kAlways,
     Where::kEverywhere, "text/plain"},
    {"GET", "/openapi.json", kAnyone, "getOpenApi", "Returns this description.", kNoParameters,
     nullptr, false, kDone, &forms::kOpenApi, DescribeApi, Queue::kNone},
    {"GET", "/", kAnyone, "getExplorer", "Returns the explorer, a page for people.", kNoParameters,
     nullptr, false, kDone, nullptr, SendFile<ExplorerFile::kPage>, Queue::kNone,
     Where::kEverywhere, "text/html"},
    {"GET", "/explorer.js", kAnyone, "getExplorerScript", "Returns the script of the explorer.",
     kNoParameters, nullptr, false, kDone, nullptr, SendFile<ExplorerFile::kScript>, Queue::kNone,
     Where::kEverywhere, "text/javascript"},
    {"GET", "/explorer.css", kAnyone, "getExplorerStyle", "Returns the style of the explorer.",
     kNoParameters, nullptr, false, kDone, nullptr, SendFile<ExplorerFile::kStyle>, Queue::kNone,
     Where::kEverywhere, "text/css"},
};

/// `is_result`: a batch result is served.
bool IsServed(const Endpoint& endpoint, bool is_result) {
  if (endpoint.where == Where::kEverywhere) return true;
  return (endpoint.where == Where::kResult) == is_result;
}

/// True if each answer in JSON has a form.
constexpr bool AllAnswersHaveForms() {
  return std::ranges::all_of(kEndpoints, [](const Endpoint& endpoint) {
    return (endpoint.type == kJsonType) == (endpoint.answer != nullptr);
  });
}
static_assert(AllAnswersHaveForms());

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// True if text is in UTF-8.
bool IsUtf8(const std::string& text) {
  try {
    (void)Json(text).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

/// Replaces %XX by what it stands for. Returns none if an escape is not whole, or the text is not
/// in UTF-8.
std::optional<std::string> Decoded(std::string_view text, bool plus_is_blank) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 2 < text.size() ? DigitOf(text[i + 1]) : -1;
      const int low = high < 0 ? -1 : DigitOf(text[i + 2]);
      if (low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_blank) {
      c = ' ';
    }
    decoded += c;
  }
  if (!IsUtf8(decoded)) return std::nullopt;
  return decoded;
}

/// Matches a path with that of an endpoint. Returns the part in braces, or an empty text if there
/// is none; nothing if the path is another one.
std::optional<std::string_view> Match(std::string_view path, std::string_view pattern) {
  const size_t brace = pattern.find('{');
  if (brace == pattern.npos)
    return path == pattern ? std::optional(path.substr(0, 0)) : std::nullopt;
  if (!path.starts_with(pattern.substr(0, brace))) return std::nullopt;
  const std::string_view after = pattern.substr(pattern.find('}') + 1);
  if (!path.substr(brace).ends_with(after)) return std::nullopt;
  const std::string_view part = path.substr(brace, path.size() - brace - after.size());
  if (part.empty() || part.find('/') != part.npos) return std::nullopt;
  return part;
}

/// Reads the parameters of a target. Returns what is wrong with them, if anything.
std::optional<std::string> ReadParameters(std::string_view text, const Endpoint& endpoint,
                                          Call* call) {
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(pair.size() + 1, text.size()));
    if (pair.empty()) continue;
    const size_t equals = std::min(pair.find('='), pair.size());
    const auto name = Decoded(pair.substr(0, equals), true);
    const auto value = Decoded(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!name || !value) return "the query of the address has a %XX that is not UTF-8";
    // Probes and browsers add parameters of their own.
    if (endpoint.scope == kAnyone) continue;
    const auto field = std::ranges::find(endpoint.parameters, *name, &Field::name);
    if (field == endpoint.parameters.end()) {
      return fmt::format("there is no parameter '{}' here", Quoted(*name));
    }
    if (call->parameters.contains(*name)) return fmt::format("{} is given twice", *name);
    auto read = ReadParameter(*value, *field);
    if (!read) return fmt::format("{} must be {}", *name, Takes(*field));
    call->parameters.insert_or_assign(*name, *std::move(read));
  }
  for (const Field& field : endpoint.parameters) {
    if (!field.required || call->parameters.contains(field.name)) continue;
    return fmt::format("the parameter {} is missing: {}", field.name, Takes(field));
  }
  return std::nullopt;
}

/// The content type without its parameters, in lower case.
std::string TypeOf(std::string_view content_type) {
  std::string type(content_type.substr(0, content_type.find(';')));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  std::ranges::transform(type, type.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  });
  return type;
}

/// Reads the body. Returns the answer to one that is not as it must be.
std::optional<Answer> ReadBody(const Received& request, const Endpoint& endpoint, Call* call) {
  if (endpoint.body == nullptr) return std::nullopt;
  const std::string type = TypeOf(request.content_type);
  call->text = request.body;
  if (endpoint.takes_batches && type == kLinesType) call->form = BodyForm::kLines;
  if (endpoint.takes_batches && type == kArrowType) call->form = BodyForm::kArrow;
  if (call->form != BodyForm::kJson) return std::nullopt;
  if (request.body.empty() && endpoint.body->fields.empty()) return std::nullopt;
  if (type != kJsonType) {
    return Problem(415, endpoint.takes_batches
                            ? fmt::format("send application/json, {} or {}", kLinesType, kArrowType)
                            : "send application/json");
  }
  std::string wrong;
  auto body = ParseJson(request.body, &wrong);
  if (!body) return Problem(400, wrong);
  if (auto why = WhyWrong(*body, *endpoint.body)) return Problem(400, *why);
  call->body = *std::move(body);
  return std::nullopt;
}

Json ParameterOf(const Field& field, std::string_view in, bool required) {
  return {{"name", field.name},
          {"in", in},
          {"required", required},
          {"description", field.about},
          {"schema", SchemaOf(field)}};
}

Json AnswersOf(const Endpoint& endpoint) {
  const Json problem = {
      {"description", "What is wrong, and what to do."},
      {"content", {{"application/problem+json", {{"schema", ReferenceTo(forms::kProblem)}}}}}};
  Json answers = Json::object();
  for (const auto& [status, when] : endpoint.answers) {
    if (status >= 400) {
      answers[std::to_string(status)] = problem;
      answers[std::to_string(status)]["description"] = when;
      continue;
    }
    Json content = Json::object();
    if (endpoint.answer != nullptr) content["schema"] = ReferenceTo(*endpoint.answer);
    answers[std::to_string(status)] = {{"description", when},
                                       {"content", {{std::string(endpoint.type), content}}}};
  }
  answers["default"] = problem;
  return answers;
}

Json OperationOf(const Endpoint& endpoint) {
  Json json = {{"operationId", endpoint.name}, {"summary", endpoint.about}};
  Json parameters = Json::array();
  if (const size_t brace = endpoint.path.find('{'); brace != endpoint.path.npos) {
    const std::string_view name =
        endpoint.path.substr(brace + 1, endpoint.path.find('}') - brace - 1);
    parameters.push_back(ParameterOf({name,
                                      Field::Type::kText,
                                      true,
                                      "As it was given or answered; a / is written %2F.",
                                      {},
                                      nullptr,
                                      {},
                                      1,
                                      kLongestIndexId},
                                     "path", true));
  }
  for (const Field& field : endpoint.parameters) {
    parameters.push_back(ParameterOf(field, "query", field.required));
  }
  if (!parameters.empty()) json["parameters"] = parameters;
  if (endpoint.body != nullptr) {
    Json content = {{kJsonType, {{"schema", ReferenceTo(*endpoint.body)}}}};
    if (endpoint.takes_batches) {
      content[std::string(kLinesType)] = {
          {"schema", {{"type", "string"}, {"description", "A Document a line."}}}};
      content[std::string(kArrowType)] = {
          {"schema",
           {{"type", "string"},
            {"format", "binary"},
            {"description",
             "A stream with the columns id, text and, if wanted, metadata; and a column for each "
             "field that the guards of the index compare."}}}};
    }
    json["requestBody"] = {{"required", !endpoint.body->fields.empty()}, {"content", content}};
  }
  json["responses"] = AnswersOf(endpoint);
  if (endpoint.scope == kAnyone) {
    json["security"] = Json::array();
  } else {
    json["description"] = fmt::format("Scope: {}.", NamesOf(endpoint.scope));
  }
  return json;
}

}  // namespace

std::span<const Endpoint> Endpoints() { return kEndpoints; }

Route FindRoute(const Served& served, std::string_view method, std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  if (method == "HEAD") method = "GET";
  Route route;
  std::vector<std::string_view> methods;
  for (const Endpoint& endpoint : kEndpoints) {
    const bool is_served = IsServed(endpoint, served.result != nullptr);
    const auto part = is_served ? Match(path, endpoint.path) : std::nullopt;
    if (!part) continue;
    methods.push_back(endpoint.method);
    if (method != endpoint.method) continue;
    auto id = Decoded(*part, false);
    if (!id) {
      route.refusal = Problem(400, "the path has a %XX that is not UTF-8");
      return route;
    }
    route.endpoint = &endpoint;
    route.id = *std::move(id);
    return route;
  }
  if (methods.empty()) {
    route.refusal = Problem(404, "there is no such path; /openapi.json lists all");
    return route;
  }
  if (std::ranges::count(methods, "GET") > 0) methods.push_back("HEAD");
  const std::string allowed = fmt::format("{}", fmt::join(methods, ", "));
  route.refusal = Problem(405, fmt::format("this path takes {}", allowed));
  route.refusal.headers.emplace_back("Allow", allowed);
  return route;
}

Answer Run(const Route& route, const Received& request, const Served& served) {
  Call call;
  call.id = route.id;
  const size_t question = std::min(request.target.find('?'), request.target.size());
  const std::string_view given = request.target.substr(question);
  const auto wrong = ReadParameters(given.substr(given.empty() ? 0 : 1), *route.endpoint, &call);
  if (wrong) return Problem(400, *wrong);
  if (auto refusal = ReadBody(request, *route.endpoint, &call)) return *std::move(refusal);
  return route.endpoint->run(served, call);
}

namespace {

/// Adds a form, and those of its members.
void AddSchema(const Schema& schema, Json* schemas) {
  const std::string name(schema.name);
  if (schemas->contains(name)) return;
  (*schemas)[name] = SchemaOf(schema);
  for (const Field& field : schema.fields) {
    if (field.schema != nullptr) AddSchema(*field.schema, schemas);
  }
}

Json Description(bool is_result) {
  Json paths = Json::object(), schemas = Json::object();
  AddSchema(forms::kProblem, &schemas);
  for (const Endpoint& endpoint : kEndpoints) {
    if (!IsServed(endpoint, is_result)) continue;
    std::string method(endpoint.method);
    std::ranges::transform(method, method.begin(),
                           [](char c) { return static_cast<char>(c | 0x20); });
    paths[std::string(endpoint.path)][method] = OperationOf(endpoint);
    if (endpoint.body != nullptr) AddSchema(*endpoint.body, &schemas);
    if (endpoint.answer != nullptr) AddSchema(*endpoint.answer, &schemas);
  }
  const Json json = {
      {"openapi", "3.1.0"},
      {"info",
       {{"title", "Lookalike"},
        {"version", LOOKALIKE_VERSION},
        {"summary", "A durable index of documents: which of them are like this one?"}}},
      {"paths", paths},
      {"components",
       {{"schemas", schemas},
        {"securitySchemes",
         {{"bearer", {{"type", "http"}, {"scheme", "bearer"}}},
          {"key", {{"type", "apiKey"}, {"in", "header"}, {"name", "api-key"}}}}}}},
      {"security", Json::array({Json{{"bearer", Json::array()}}, Json{{"key", Json::array()}},
                                Json::object()})}};
  return json;
}

}  // namespace

const std::string& OpenApi(const Served& served) {
  static const std::string of_index = Description(false).dump(),
                           of_result = Description(true).dump();
  return served.result == nullptr ? of_index : of_result;
}

}  // namespace lookalike::server
