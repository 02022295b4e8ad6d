// HTTP/1.1 for the endpoints. Only this file's source and tls.h know of connections and of Boost.
#ifndef LOOKALIKE_SERVER_HTTP_SERVER_H_
#define LOOKALIKE_SERVER_HTTP_SERVER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "endpoints.h"
#include "lookalike/status.h"
#include "tokens.h"

namespace lookalike::server {

struct HttpSettings {
  std::string address = "127.0.0.1";
  uint16_t port = 8780;                     ///< 0: a free one.
  std::string certificate, key;             ///< Files in PEM; empty: nothing is encrypted.
  size_t threads = 2;                       ///< That endpoints run on; one more reads and writes.
  uint64_t most_body = uint64_t{16} << 20;  ///< Bytes of a body; more are answered with 413.
  uint32_t most_header = 16 << 10;          ///< Bytes of a header: 431.
  int64_t most_connections = 10'000;        ///< More are answered with 503.
  int64_t most_waiting = 1'024;             ///< Requests that are worked on or wait: 503.
  int64_t most_bytes = int64_t{64} << 20;   ///< All bodies and answers together: 503.
  std::chrono::seconds to_header{10};  ///< To the first byte of a connection, and then to its end.
  std::chrono::seconds to_body{60};    ///< To the end of a body, and of an answer.
  std::chrono::seconds idle{60};       ///< Between requests of a connection.
  std::chrono::seconds to_stop{10};    ///< For what is under way when the server stops.
};

/// Facts about a request for the log and for figures: no text, id or token.
struct RequestFacts {
  std::string_view method, route;
  int status = 0;
  double seconds = 0;
  uint64_t bytes_in = 0, bytes_out = 0;
  std::string_view request_id;
};

/// Serves until SIGINT, SIGTERM or SIGHUP. Then it accepts no more connections, answers what is
/// under way, waits for an operation, and returns; a second signal ends the process at once.
/// `started(port)` is called when connections are accepted. Returns an Error if the address cannot
/// be used.
Status ServeHttp(const Served& served, const Tokens& tokens, const HttpSettings& settings,
                 const std::function<void(uint16_t)>& started,
                 const std::function<void(const RequestFacts&)>& log);

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_HTTP_SERVER_H_
