#include "mcp.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "endpoints.h"
#include "forms.h"
#include "schema.h"

namespace lookalike::server {
namespace {

using Type = Field::Type;

/// The versions of the protocol that are spoken, the newest first. They differ in nothing that is
/// used here.
constexpr std::array<std::string_view, 3> kVersions = {"2025-06-18", "2025-03-26", "2024-11-05"};

// Codes of JSON-RPC 2.0, section 5.1.
constexpr int kNoJson = -32700, kNoRequest = -32600, kNoMethod = -32601, kBadParameters = -32602;

constexpr uint64_t kDefaultTop = 5;

constexpr Field kFindFields[] = {
    {"text", Type::kText, false, "Find documents like this text."},
    {"id", Type::kText, false, "Find documents like the one with this id."},
    {"fields", Type::kMembers, false, kAboutFields},
    {"threshold", Type::kNumber, false,
     "The least resemblance of a match, from 0 to 1; that of the index if it is left out.", kShare},
    {"top",
     Type::kWhole,
     false,
     "How many matches to return, the best first; 5 if it is left out.",
     {1, 100}},
    {"exhaustive", Type::kTruth, false,
     "Look at every document; for a threshold below that of the index."},
};
constexpr Schema kFind = {"FindSimilar", kFindFields, kTextOrId};

constexpr Field kAddFields[] = {
    {"id", Type::kText, true, "The id of the document; one that is there already is replaced."},
    {"text", Type::kText, true, "The text of the document."},
    {"metadata", Type::kMetadata, false, "Whatever should come back with the document."},
    {"fields", Type::kMembers, false, kAboutFields},
    {"threshold", Type::kNumber, false,
     "Leave the document out if another one has this resemblance or more; that of the index if it "
     "is left out.",
     kShare},
};
constexpr Schema kAdd = {"AddUnlessSimilar", kAddFields};

constexpr Field kCompareFields[] = {
    {"a", Type::kObject, true, "One text.", {}, &kSide},
    {"b", Type::kObject, true, "The other text.", {}, &kSide},
    {"passages", Type::kTruth, false, "Also return where the common passages are."},
};
constexpr Schema kCompare = {"Compare", kCompareFields};

constexpr Schema kStats = {"Stats", {}};

/// Returns the answer to a call of a tool.
using Run = Answer (*)(const Json& arguments, Service* service);

Answer FindSimilar(const Json& arguments, Service* service) {
  Call call;
  call.body = arguments;
  if (!arguments.contains("top")) call.body["top"] = kDefaultTop;
  return service->Query(call);
}

Answer AddUnlessSimilar(const Json& arguments, Service* service) {
  Call call;
  call.id = arguments.at("id").get<std::string>();
  call.parameters["unless_similar"] = arguments.value("threshold", service->threshold());
  call.body = arguments;
  return service->PutDocument(call);
}

Answer Compare(const Json& arguments, Service* service) {
  Call call;
  call.body = arguments;
  Answer answer = service->Compare(call);
  if (answer.status != 200 || arguments.value("passages", false)) return answer;
  Json json = Json::parse(answer.body);
  json.erase("passages");
  answer.body = json.dump();
  return answer;
}

Answer Stats(const Json& /*arguments*/, Service* service) { return service->Stats({}); }

struct Tool {
  std::string_view name, about;
  const Schema& arguments;
  bool only_reads;
  Run run;
};

constexpr Tool kTools[] = {
    {"find_similar",
     "Finds stored documents that say nearly the same as a text, with their resemblance (0 to 1: "
     "the share of common word sequences). Use it before you write something down again.",
     kFind, true, FindSimilar},
    {"add_unless_similar",
     "Stores a text under an id, unless a similar document is stored already; then it names that "
     "document, and stores nothing.",
     kAdd, false, AddUnlessSimilar},
    {"compare", "Compares two texts exactly: resemblance, and how much of each is in the other.",
     kCompare, true, Compare},
    {"stats", "Returns how many documents are stored, and from which resemblance they are found.",
     kStats, true, Stats},
};

Json Tools() {
  Json tools = Json::array();
  for (const Tool& tool : kTools) {
    tools.push_back(
        {{"name", tool.name},
         {"description", tool.about},
         {"inputSchema", SchemaOf(tool.arguments, References::kInline)},
         {"annotations", {{"readOnlyHint", tool.only_reads}, {"openWorldHint", false}}}});
  }
  return {{"tools", tools}};
}

/// Returns the result of a tool. A failed call is a result too, which the agent may mend.
Json ResultOf(const Answer& answer) {
  const Json json = Json::parse(answer.body);
  if (answer.status < 400) {
    return {{"content", Json::array({{{"type", "text"}, {"text", answer.body}}})},
            {"structuredContent", json}};
  }
  return {{"content", Json::array({{{"type", "text"}, {"text", json.at("detail")}}})},
          {"isError", true}};
}

Json CallTool(const Tool& tool, const Json& arguments, Service* service) {
  if (const auto why = WhyWrong(arguments, tool.arguments, "the call")) {
    return ResultOf(Problem(400, *why));
  }
  return ResultOf(tool.run(arguments, service));
}

Json Initialized(const Json& parameters) {
  const auto asked = parameters.find("protocolVersion");
  const bool is_known = asked != parameters.end() && asked->is_string() &&
                        std::ranges::count(kVersions, asked->get_ref<const std::string&>()) > 0;
  return {{"protocolVersion", is_known ? *asked : Json(kVersions.front())},
          {"capabilities", {{"tools", Json::object()}}},
          {"serverInfo", {{"name", "lookalike"}, {"version", LOOKALIKE_VERSION}}}};
}

std::string Line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string Done(const Json& id, Json result) {
  return Line({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

std::string Failed(const Json& id, int code, std::string_view message) {
  return Line({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

std::string AnswerTo(const Json& id, const std::string& method, const Json& parameters,
                     Service* service) {
  if (method == "initialize") return Done(id, Initialized(parameters));
  if (method == "ping") return Done(id, Json::object());
  if (method == "tools/list") return Done(id, Tools());
  if (method != "tools/call") return Failed(id, kNoMethod, "there is no method " + method);
  const auto name = parameters.find("name");
  if (name == parameters.end() || !name->is_string()) {
    return Failed(id, kBadParameters, "tools/call needs the name of a tool");
  }
  const auto tool = std::ranges::find(kTools, name->get_ref<const std::string&>(), &Tool::name);
  if (tool == std::end(kTools)) {
    return Failed(id, kBadParameters, "there is no tool " + name->get<std::string>());
  }
  return Done(id, CallTool(*tool, parameters.value("arguments", Json::object()), service));
}

}  // namespace

std::string McpServer::RefuseLength() {
  return Failed(nullptr, kNoRequest, fmt::format("a message has up to {} bytes", kMostBytes));
}

std::optional<std::string> McpServer::Take(std::string_view line) {
  std::string wrong;
  const auto message = ParseJson(line, &wrong);
  if (!message) return Failed(nullptr, kNoJson, wrong);
  if (!message->is_object()) return Failed(nullptr, kNoRequest, "a message is an object");
  const auto id = message->find("id");
  const auto method = message->find("method");
  if (method == message->end() || !method->is_string()) {
    if (id != message->end() && (message->contains("result") || message->contains("error"))) {
      return std::nullopt;  // an answer, to nothing that was asked
    }
    return Failed(id == message->end() ? Json() : *id, kNoRequest, "a request has a method");
  }
  if (id == message->end()) return std::nullopt;  // a notification
  const Json parameters = message->value("params", Json::object());
  if (!parameters.is_object()) return Failed(*id, kBadParameters, "params must be an object");
  try {
    return AnswerTo(*id, method->get<std::string>(), parameters, &service_);
  } catch (const std::exception&) {
    return Failed(*id, -32603, "the server failed; its log says why");
  }
}

}  // namespace lookalike::server
