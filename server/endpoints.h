// The table of endpoints. It makes the routes, the checks of what requests hold, and /openapi.json.
#ifndef LOOKALIKE_SERVER_ENDPOINTS_H_
#define LOOKALIKE_SERVER_ENDPOINTS_H_

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema.h"
#include "service.h"
#include "tokens.h"

namespace lookalike::server {

/// A request as an endpoint sees it: all of it has the form that the table says.
struct Call {
  std::string id;  ///< The part of the path in braces, if the route has one.
  std::map<std::string, Json, std::less<>> parameters;
  Json body;              ///< Null where the endpoint takes none.
  std::string_view text;  ///< The body as it came.
  bool is_lines = false;  ///< The body is NDJSON, and not parsed.

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

struct Endpoint {
  std::string_view method, path;  ///< "GET", "/v1/documents/{id}".
  Scope scope = kRead;            ///< One of these is enough, if there are several.
  std::string_view name;          ///< In /openapi.json: "getDocument".
  std::string_view about;         ///< One sentence.
  std::span<const Field> parameters = {};
  const Schema* body = nullptr;
  bool takes_lines = false;                                        ///< The body may be NDJSON, too.
  std::span<const std::pair<int, std::string_view>> answers = {};  ///< Statuses, and when.
  Answer (Service::*run)(const Call&) = nullptr;
  Queue queue = Queue::kWaits;
};

/// Most documents of a batch.
inline constexpr size_t kMostDocuments = 10'000;

/// Returns the form of a document in a batch.
const Schema& DocumentSchema();

/// Returns the table.
std::span<const Endpoint> Endpoints();

/// The endpoint of a request, or the answer to a request that has none.
struct Route {
  const Endpoint* endpoint = nullptr;
  std::string id;
  Answer refusal = {};
};

/// Finds the endpoint. `target`: as in the request line.
Route FindRoute(std::string_view method, std::string_view target);

/// The head of a request, and its body.
struct Received {
  std::string_view method, target;
  std::string_view content_type;  ///< Empty: there is none.
  std::string_view body;
};

/// Checks a request, and calls its endpoint.
Answer Run(const Route& route, const Received& request, Service* service);

/// Returns the OpenAPI 3.1 document of all endpoints.
const std::string& OpenApi();

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_ENDPOINTS_H_
