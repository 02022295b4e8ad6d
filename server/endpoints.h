// The table of endpoints. It makes the routes, the checks of what requests hold, and /openapi.json.
#ifndef LOOKALIKE_SERVER_ENDPOINTS_H_
#define LOOKALIKE_SERVER_ENDPOINTS_H_

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result_service.h"
#include "schema.h"
#include "service.h"
#include "tokens.h"

namespace lookalike::server {

/// The form of a body.
enum class BodyForm : uint8_t {
  kJson,
  kLines,  ///< NDJSON, not parsed.
  kArrow,  ///< A stream of Arrow's IPC format, not parsed.
};

/// A request as an endpoint sees it: all of it has the form that the table says.
struct Call {
  std::string id;  ///< The part of the path in braces, if the route has one.
  std::map<std::string, Json, std::less<>> parameters;
  Json body;              ///< Null where the endpoint takes none.
  std::string_view text;  ///< The body as it came.
  BodyForm form = BodyForm::kJson;

  /// Returns a parameter, or `otherwise`.
  template <class T>
  [[nodiscard]] T Parameter(std::string_view name, T otherwise) const {
    const auto at = parameters.find(name);
    return at == parameters.end() ? otherwise : at->second.get<T>();
  }
};

/// The way in which a request gets to its endpoint.
enum class Queue : uint8_t {
  kWaits,   ///< With others, up to a limit.
  kAlways,  ///< With others, but it is never turned away.
  kNone,    ///< At once, since it waits for nothing.
};

/// The subject of a server: an index or, with `result`, a batch result and an index of its texts.
struct Served {
  Service* service = nullptr;
  ResultService* result = nullptr;
};

/// The servers that have an endpoint.
enum class Where : uint8_t { kEverywhere, kIndex, kResult };

struct Endpoint {
  std::string_view method, path;  ///< "GET", "/v1/documents/{id}".
  Scope scope = kRead;            ///< One of these is enough, if there are several.
  std::string_view name;          ///< In /openapi.json: "getDocument".
  std::string_view about;         ///< One sentence.
  std::span<const Field> parameters = {};
  const Schema* body = nullptr;
  bool takes_batches = false;  ///< The body may be NDJSON or Arrow, too.
  std::span<const std::pair<int, std::string_view>> answers = {};  ///< Statuses, and when.
  const Schema* answer = nullptr;  ///< The form of those that are no problems, if it is JSON.
  Answer (*run)(const Served&, const Call&) = nullptr;
  Queue queue = Queue::kWaits;
  Where where = Where::kEverywhere;
  std::string_view type = kJsonType;  ///< The media type of answers.
};

/// The types of bodies with a batch of documents, besides JSON.
inline constexpr std::string_view kLinesType = "application/x-ndjson";
inline constexpr std::string_view kArrowType = "application/vnd.apache.arrow.stream";

/// Returns the table.
std::span<const Endpoint> Endpoints();

/// The endpoint of a request, or the answer to a request that has none.
struct Route {
  const Endpoint* endpoint = nullptr;
  std::string id;
  Answer refusal = {};
};

/// Finds the endpoint. `target`: as in the request line. `served`: an endpoint that is not for it
/// is none.
Route FindRoute(const Served& served, std::string_view method, std::string_view target);

/// The head of a request, and its body.
struct Received {
  std::string_view method, target;
  std::string_view content_type;  ///< Empty: there is none.
  std::string_view body;
};

/// Checks a request, and calls its endpoint.
Answer Run(const Route& route, const Received& request, const Served& served);

/// Returns the OpenAPI 3.1 document of the endpoints of what is served.
const std::string& OpenApi(const Served& served);

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_ENDPOINTS_H_
