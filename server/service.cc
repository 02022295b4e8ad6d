#include "service.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <utility>
#include <vector>

#include "endpoints.h"
#include "lookalike/guards.h"
#include "lookalike/index_json.h"
#include "lookalike/reader.h"
#include "request_forms.h"

namespace lookalike::server {
namespace {

/// Returns seconds since 1970.
int64_t SecondsNow() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

/// Bytes of texts that one request compares all with all.
constexpr size_t kMostCompared = size_t{64} << 20;

/// Tokens of a guard that are named for each of two texts.
constexpr size_t kMostTokens = 20;

/// Bytes that the columns of an Arrow stream may take.
constexpr uint64_t kMostUnpacked = uint64_t{64} << 20;

/// Returns metadata as an index keeps it.
std::string MetadataOf(const Json& document) {
  const auto at = document.find("metadata");
  if (at == document.end()) return {};
  return at->is_string() ? at->get<std::string>() : at->dump();
}

/// Returns the values of the fields that guards compare; none if the body has no fields.
Result<std::vector<FieldText>> GuardValuesOf(const Json& body, const Index& index) {
  const auto at = body.find("fields");
  if (at == body.end()) return std::vector<FieldText>();
  return index.GuardValues(at->dump());
}

Result<DocumentToAdd> DocumentOf(std::string id, const Json& json, const Index& index) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto values, GuardValuesOf(json, index));
  return DocumentToAdd{std::move(id), json.at("text").get<std::string>(), MetadataOf(json),
                       std::move(values)};
}

IndexDocument ViewOf(const DocumentToAdd& document) {
  return {document.id, document.text, document.metadata, document.guard_values};
}

/// Returns the query of a body, with its measure named.
Result<IndexQuery> QueryOf(const Json& body, const Index& index) {
  IndexQuery query;
  query.threshold = body.value("threshold", 0.0);
  query.top = body.value("top", uint64_t{0});
  query.limit = body.value("limit", query.limit);
  query.exhaustive = body.value("exhaustive", false);
  query.measure = body.value("measure", index.settings().options.measure);
  LOOKALIKE_ASSIGN_OR_RETURN(query.guard_values, GuardValuesOf(body, index));
  return query;
}

std::optional<double> UnlessSimilarOf(const Call& call) {
  const double threshold = call.Parameter("unless_similar", 0.0);
  return threshold > 0 ? std::optional(threshold) : std::nullopt;
}

Answer NoDocument(const std::string& id) {
  return Problem(404, fmt::format("there is no document '{}'", Quoted(id)));
}

/// Reads the documents of a stream of Arrow.
Result<std::vector<DocumentToAdd>> ReadArrow(std::string_view stream, const Index& index) {
  std::vector<std::string_view> names = {"id", "text", "metadata"};
  names.insert(names.end(), index.guard_fields().begin(), index.guard_fields().end());
  LOOKALIKE_ASSIGN_OR_RETURN(const ArrowTable table,
                             ArrowTable::ReadStream(stream, names, kMostUnpacked));
  if (!table.Has("id") || !table.Has("text")) {
    return InputError("the stream needs the columns id and text");
  }
  if (table.rows() > kMostDocuments) {
    return InputError(
        fmt::format("there are more than {} documents; send several requests", kMostDocuments));
  }
  Options options;
  options.text_field = {"text"};
  options.id_field = "id";
  options.differ = index.settings().options.differ;
  options.same = index.settings().options.same;
  if (table.Has("metadata")) options.metadata_field = "metadata";
  Observer observer;
  std::string first_refused;
  observer.message = [&](std::string_view message) {
    if (first_refused.empty()) first_refused = message;
  };
  LOOKALIKE_ASSIGN_OR_RETURN(
      auto reader, DocumentReader::Open(Inputs({"body"}, {{"body", table}}), options, observer));
  std::vector<DocumentToAdd> documents;
  DocumentColumns columns;
  for (bool more = true; more;) {
    LOOKALIKE_ASSIGN_OR_RETURN(more, reader.Next(&columns));
    for (size_t i = 0; more && i < columns.size(); ++i) {
      // A document without an id has its place as one, which the caller would not know.
      if (columns.is_null[i] != 0 || columns.Id(i) == columns.PlaceOf(i)) {
        return InputError(fmt::format("row {} has no {}", columns.rows[i],
                                      columns.is_null[i] != 0 ? "text" : "id"));
      }
      const auto values = columns.GuardValues(i);
      documents.push_back({std::string(columns.Id(i)),
                           std::string(columns.Text(i)),
                           std::string(columns.Metadata(i)),
                           {values.begin(), values.end()}});
    }
  }
  if (reader.records().rejected > 0) return InputError(first_refused);
  return documents;
}

/// Reads the documents of a batch. `wrong` gets what is wrong with one, for which none is returned.
std::optional<std::vector<DocumentToAdd>> ReadBatch(const Call& call, const Index& index,
                                                    std::string* wrong) {
  std::vector<DocumentToAdd> documents;
  const auto check = [&](size_t number, const DocumentToAdd& document) {
    *wrong = WhyRefused(document.id, document.metadata);
    if (!wrong->empty()) *wrong = fmt::format("document {}: {}", number, *wrong);
    return wrong->empty();
  };
  const auto take = [&](const Json& json) {
    std::string id = json.at("id").get<std::string>();
    auto document = DocumentOf(std::move(id), json, index);
    if (!document) {
      *wrong = fmt::format("document {}: {}", documents.size(), document.error().what);
      return false;
    }
    documents.push_back(*std::move(document));
    return check(documents.size() - 1, documents.back());
  };
  if (call.form == BodyForm::kArrow) {
    auto read = ReadArrow(call.text, index);
    if (!read) {
      *wrong = read.error().what;
      return std::nullopt;
    }
    for (size_t i = 0; i < read->size(); ++i) {
      if (!check(i, (*read)[i])) return std::nullopt;
    }
    return *std::move(read);
  }
  if (call.form == BodyForm::kJson) {
    for (const Json& json : call.body.at("documents")) {
      if (!take(json)) return std::nullopt;
    }
    return documents;
  }
  size_t number = 1;
  for (std::string_view rest = call.text; !rest.empty(); ++number) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    const auto json = ParseJson(line, wrong);
    const auto why = json ? WhyWrong(*json, kDocument) : std::optional(*wrong);
    if (why) {
      *wrong = fmt::format("line {}: {}", number, *why);
      return std::nullopt;
    }
    if (!take(*json)) return std::nullopt;
    if (documents.size() > kMostDocuments) {
      *wrong =
          fmt::format("there are more than {} documents; send several requests", kMostDocuments);
      return std::nullopt;
    }
  }
  return documents;
}

std::string Written(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Answer NoTexts() {
  return Problem(409, "the index keeps no texts; send the texts, or make an index with keep text");
}

/// True if a query asks for passages of texts that the index does not keep.
bool AsksForLostTexts(const Json& query, const Index& index) {
  return query.value("passages", false) && index.settings().kept != Kept::kText;
}

/// Returns what guards find between two texts: numbers, dates, and the expressions that the index
/// compares. Of many tokens the first are named, and all are counted.
Result<Json> GuardsJson(const std::string& a, const std::string& b, const Options& options) {
  std::vector<std::string> guards = {"numbers", "dates"};
  for (const std::string& own : options.differ) {
    if (own.starts_with("regex:")) guards.push_back(own);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(auto found, GuardsBetween(a, b, guards));
  Json json = Json::array();
  for (GuardDifference& one : found) {
    const size_t count_a = one.only_a.size(), count_b = one.only_b.size();
    one.only_a.resize(std::min(count_a, kMostTokens));
    one.only_b.resize(std::min(count_b, kMostTokens));
    json.push_back({{"guard", one.guard},
                    {"only_a", one.only_a},
                    {"only_b", one.only_b},
                    {"count_a", count_a},
                    {"count_b", count_b}});
  }
  return json;
}

/// Adds to each match of an answer where it has the same passages as the text that was asked for.
Result<std::string> WithPassages(const Index& index, const std::string& text,
                                 const std::string& answer) {
  Json json = Json::parse(answer);
  size_t work = 0;
  for (Json& match : json["matches"]) {
    const auto id = match["id"].get<std::string>();
    LOOKALIKE_ASSIGN_OR_RETURN(const auto document, index.Get(id));
    if (!document || !document->text) continue;  // it was removed meanwhile
    work += text.size() + document->text->size();
    if (work > kMostCompared) {
      return UsageError(
          "the texts are too long for the passages of all matches; ask for fewer (limit, top)");
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const Comparison both,
                               CompareTexts(text, *document->text, index.settings().options));
    match["passages"] = Json::parse(ComparisonJson(both))["passages"];
  }
  return Written(json);
}

/// Returns the answer to one query as JSON, or the Error.
Result<std::string> AnswerOne(const Index& index, const Json& body, Metrics* metrics) {
  LOOKALIKE_ASSIGN_OR_RETURN(const IndexQuery query, QueryOf(body, index));
  const std::string id = body.value("id", std::string());
  LOOKALIKE_ASSIGN_OR_RETURN(
      const IndexAnswer answer,
      body.contains("text") ? index.QueryText(body["text"].get_ref<const std::string&>(), query)
                            : index.QueryId(id, query));
  metrics->CountQuery(answer.candidates, answer.matches.size());
  std::string json = AnswerJson(answer, query.measure == "containment");
  if (!body.value("passages", false)) return json;
  if (body.contains("text")) {
    return WithPassages(index, body["text"].get_ref<const std::string&>(), json);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const auto asked, index.Get(id));
  return asked && asked->text ? WithPassages(index, *asked->text, json) : json;
}

/// True if a query names a document that is not there.
bool NamesNobody(const Index& index, const Json& body) {
  if (!body.contains("id")) return false;
  const auto id = body.at("id").get<std::string>();
  if (id.empty()) return true;
  const auto document = index.Get(id);
  return document && !document->has_value();
}

Json JsonOf(const Operation& operation) {
  constexpr std::string_view kStates[] = {"running", "done", "failed"};
  Json json = {{"operation", fmt::format("/v1/operations/{}", operation.number)},
               {"kind", operation.kind},
               {"state", kStates[static_cast<size_t>(operation.state)]}};
  if (!operation.error.empty()) json["error"] = operation.error;
  return json;
}

}  // namespace

Answer Service::Fail(const Error& error) const {
  Answer answer = ProblemOf(error);
  if (answer.status >= 500) log_(error.ToString());
  return answer;
}

bool Service::ContainsByDefault() const {
  return index_.settings().options.measure == "containment";
}

Answer Service::PutDocument(const Call& call) {
  const auto document = DocumentOf(call.id, call.body, index_);
  if (!document) return Fail(document.error());
  const std::string why = WhyRefused(document->id, document->metadata);
  if (!why.empty()) return Problem(400, why);
  const IndexDocument one = ViewOf(*document);
  const auto answers = index_.Add(std::span(&one, 1), UnlessSimilarOf(call));
  if (!answers) return Fail(answers.error());
  NoteGrowth();
  const AddAnswer& added = answers->front();
  return {added.outcome == AddOutcome::kAdded ? 201 : 200, OutcomeJson(added, ContainsByDefault())};
}

Answer Service::GetDocument(const Call& call) {
  const auto document = index_.Get(call.id);
  if (!document) return Fail(document.error());
  if (!*document) return NoDocument(call.id);
  return {200, DocumentJson(**document)};
}

Answer Service::DeleteDocument(const Call& call) {
  const auto removed = index_.Remove(std::span(&call.id, 1));
  if (!removed) return Fail(removed.error());
  if (*removed == 0) return NoDocument(call.id);
  NoteGrowth();
  return {200, R"({"removed":1})"};
}

Answer Service::AddBatch(const Call& call) {
  std::string wrong;
  const auto documents = ReadBatch(call, index_, &wrong);
  if (!documents) return Problem(400, wrong + "; nothing of the batch was added");
  std::vector<IndexDocument> batch;
  for (const DocumentToAdd& each : *documents) batch.push_back(ViewOf(each));
  std::string body = R"({"outcomes":[)";
  if (!batch.empty()) {
    const auto answers = index_.Add(batch, UnlessSimilarOf(call));
    if (!answers) return Fail(answers.error());
    for (const AddAnswer& answer : *answers) {
      if (body.back() != '[') body += ',';
      body += OutcomeJson(answer, ContainsByDefault());
    }
    NoteGrowth();
  }
  return {200, body + "]}"};
}

Answer Service::Query(const Call& call) {
  if (AsksForLostTexts(call.body, index_)) return NoTexts();
  auto answer = AnswerOne(index_, call.body, &metrics_);
  if (answer) return {200, *std::move(answer)};
  if (NamesNobody(index_, call.body)) return NoDocument(call.body.at("id").get<std::string>());
  return Fail(answer.error());
}

Answer Service::QueryBatch(const Call& call) {
  std::string body = R"({"answers":[)";
  size_t number = 0;
  for (const Json& query : call.body.at("queries")) {
    if (AsksForLostTexts(query, index_)) return NoTexts();
    const auto answer = AnswerOne(index_, query, &metrics_);
    if (!answer) {
      if (NamesNobody(index_, query)) {
        return Problem(404, fmt::format("queries[{}]: there is no document '{}'", number,
                                        Quoted(query.at("id").get<std::string>())));
      }
      Error error = answer.error();
      error.what = fmt::format("queries[{}]: {}", number, error.what);
      return Fail(error);
    }
    if (number++ > 0) body += ',';
    body += *answer;
  }
  return {200, body + "]}"};
}

Status Service::Store(std::span<const IndexDocument> documents) {
  const auto stored = index_.Add(documents);
  if (!stored) return tl::make_unexpected(stored.error());
  return {};
}

Result<std::optional<std::string>> Service::TextOf(std::string_view id) const {
  if (id.empty()) return std::nullopt;
  LOOKALIKE_ASSIGN_OR_RETURN(auto document, index_.Get(id));
  return document ? std::move(document->text) : std::nullopt;
}

Result<std::optional<std::string>> Service::MetadataOf(std::string_view id) const {
  if (id.empty()) return std::nullopt;
  LOOKALIKE_ASSIGN_OR_RETURN(auto document, index_.Get(id));
  return document ? std::optional(std::move(document->metadata)) : std::nullopt;
}

std::optional<Answer> Service::FindText(const std::string& id, std::string* text) const {
  auto document = index_.Get(id);
  if (!document) return Fail(document.error());
  if (!*document) return NoDocument(id);
  if (!(*document)->text) return NoTexts();
  *text = *std::move((*document)->text);
  return std::nullopt;
}

Answer Service::Compare(const Call& call) {
  std::string texts[2];
  for (size_t side = 0; side < 2; ++side) {
    const Json& given = call.body.at(side == 0 ? "a" : "b");
    if (given.contains("text")) {
      texts[side] = given["text"].get<std::string>();
      continue;
    }
    auto refusal = FindText(given.at("id").get<std::string>(), &texts[side]);
    if (refusal) return *std::move(refusal);
  }
  const auto comparison = CompareTexts(texts[0], texts[1], index_.settings().options);
  if (!comparison) return Fail(comparison.error());
  const auto guards = GuardsJson(texts[0], texts[1], index_.settings().options);
  if (!guards) return Fail(guards.error());
  std::string answer = ComparisonJson(*comparison);
  answer.back() = ',';
  answer += R"("guards":)" + Written(*guards) + '}';
  if (meeting_) {
    const auto met = meeting_->Explain(texts[0], texts[1], comparison->resemblance);
    if (!met) return Fail(met.error());
    answer.back() = ',';
    answer += R"("met":)" + met->dump() + '}';
  }
  return {200, std::move(answer)};
}

Answer Service::CompareAll(const Call& call) {
  const auto ids = call.body.at("documents").get<std::vector<std::string>>();
  std::vector<std::string> texts(ids.size());
  size_t bytes = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (auto refusal = FindText(ids[i], &texts[i])) return *std::move(refusal);
    bytes += texts[i].size();
  }
  // Each text is compared with all others.
  if (bytes * ids.size() > kMostCompared) {
    return Problem(413, "the texts are too long to be compared all with all; name fewer documents");
  }
  std::vector<std::vector<double>> scores(ids.size(), std::vector<double>(ids.size(), 1));
  for (size_t a = 0; a < ids.size(); ++a) {
    for (size_t b = a + 1; b < ids.size(); ++b) {
      const auto both = CompareTexts(texts[a], texts[b], index_.settings().options);
      if (!both) return Fail(both.error());
      scores[a][b] = ContainsByDefault() ? both->containment_ab : both->resemblance;
      scores[b][a] = ContainsByDefault() ? both->containment_ba : both->resemblance;
    }
  }
  return {200, Written(Json{{"documents", ids}, {"scores", scores}})};
}

Answer Service::ListClusters(const Call& call) {
  const auto limit = call.Parameter("limit", uint64_t{1000});
  const auto after = call.Parameter("after", std::string());
  std::string body = R"({"clusters":[)", last;
  bool is_after = after.empty(), more = false;
  uint64_t listed = 0;
  const Status done =
      index_.Clusters(call.Parameter("threshold", 0.0), [&](const IndexCluster& cluster) {
        if (!is_after) {
          is_after = cluster.name == after;
          return true;
        }
        more = listed == limit;
        if (more) return false;
        body += (listed++ > 0 ? "," : "") + ClusterJson(cluster);
        last = cluster.name;
        return true;
      });
  if (!done) return Fail(done.error());
  if (!is_after)
    return Problem(404, fmt::format("there is no cluster '{}' to go on after", Quoted(after)));
  body += more ? fmt::format(R"(],"next":{}}})", Json(last).dump()) : R"(],"next":null})";
  return {200, body};
}

Answer Service::GetCluster(const Call& call) {
  std::string found;
  const Status done =
      index_.Clusters(call.Parameter("threshold", 0.0), [&](const IndexCluster& cluster) {
        if (cluster.name == call.id) found = ClusterJson(cluster);
        return found.empty();
      });
  if (!done) return Fail(done.error());
  if (found.empty()) return Problem(404, fmt::format("there is no cluster '{}'", Quoted(call.id)));
  return {200, found};
}

Answer Service::ListChanges(const Call& call) {
  const auto limit = call.Parameter("limit", uint64_t{1000});
  std::string body = R"({"changes":[)";
  uint64_t listed = 0;
  bool more = false;
  const Status done =
      index_.Changes(call.Parameter("since", uint64_t{0}), [&](std::string_view line) {
        more = listed == limit;
        if (more) return false;
        if (listed++ > 0) body += ',';
        body += line;
        return true;
      });
  if (!done) return Fail(done.error());
  return {200, body + (more ? R"(],"more":true})" : R"(],"more":false})")};
}

Answer Service::Stats(const Call& call) {
  const auto stats = index_.Stats();
  if (!stats) return Fail(stats.error());
  std::optional<IndexAudit> audit;
  if (const auto documents = call.Parameter("audit", uint64_t{0}); documents > 0) {
    const auto measured = index_.Audit(documents);
    if (!measured) return Fail(measured.error());
    audit = *measured;
  }
  return {200, StatsJson(*stats, audit)};
}

Answer Service::Start(const std::string& kind, std::function<Status()> work) {
  if (stopping_) return Problem(503, "the server is stopping");
  const auto operation = operations_.Start(kind, [this, kind, work = std::move(work)] {
    const Status done = work();
    if (!done) log_(fmt::format("{} failed: {}", kind, done.error().ToString()));
    return done;
  });
  if (!operation) {
    return Problem(409, "another operation is running; ask again when it has ended");
  }
  Answer answer = {202, Written(JsonOf(*operation))};
  answer.headers.emplace_back("Location", fmt::format("/v1/operations/{}", operation->number));
  return answer;
}

Answer Service::Compact(const Call& /*call*/) {
  return Start("compact", [this] { return index_.Compact(); });
}

Answer Service::Backup(const Call& call) {
  if (settings_.backups.empty()) {
    return Problem(409, "the server was started without a folder for backups (--backups DIR)");
  }
  const auto name = call.body.at("name").get<std::string>();
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  if (name.empty() || name.size() > 100 || name.front() == '.' ||
      name.find_first_not_of(kAllowed) != name.npos) {
    return Problem(400, "a name has up to 100 letters, digits, dots, - and _, and no dot in front");
  }
  return Start("backup",
               [this, path = settings_.backups + "/" + name] { return index_.Backup(path); });
}

Answer Service::GetOperation(const Call& call) {
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(call.id.data(), call.id.data() + call.id.size(), number);
  const bool is_number = error == std::errc() && end == call.id.data() + call.id.size();
  const auto operation = is_number ? operations_.Find(number) : std::nullopt;
  if (!operation) return Problem(404, fmt::format("there is no operation '{}'", Quoted(call.id)));
  return {200, Written(JsonOf(*operation))};
}

Answer Service::Live(const Call& /*call*/) { return {200, R"({"status":"ok"})"}; }

Answer Service::Ready(const Call& /*call*/) {
  if (stopping_) return Problem(503, "the server is stopping");
  return {200, R"({"status":"ok"})"};
}

void Service::NoteGrowth() {
  const int64_t now = SecondsNow();
  if (!growth_.IsDue(now)) return;
  const auto stats = index_.Stats();
  if (stats) growth_.Take(now, stats->documents);
}

Answer Service::GetGrowth(const Call& /*call*/) {
  const auto stats = index_.Stats();
  if (!stats) return Fail(stats.error());
  auto samples = growth_.Samples();
  const int64_t now = SecondsNow();
  if (samples.empty() || samples.back().first < now) samples.emplace_back(now, 0);
  samples.back().second = stats->documents;  // the last sample may be some moments old
  return {200, Json{{"growth", samples}}.dump()};
}

Answer Service::WriteMetrics(const Call& /*call*/) {
  const auto stats = index_.Stats();
  if (!stats) return Fail(stats.error());
  return {200, metrics_.Text({stats->documents, stats->bytes, !stopping_}),
          "text/plain; version=0.0.4; charset=utf-8"};
}

}  // namespace lookalike::server
