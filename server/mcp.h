// The Model Context Protocol: tools for agents on an index, over lines of JSON-RPC 2.0.
#ifndef LOOKALIKE_SERVER_MCP_H_
#define LOOKALIKE_SERVER_MCP_H_

#include <optional>
#include <string>
#include <string_view>

#include "service.h"

namespace lookalike::server {

/// Answers the lines of one client. Not thread-safe.
class McpServer {
 public:
  /// Most bytes of a line.
  static constexpr size_t kMostBytes = size_t{16} << 20;

  explicit McpServer(Service* service) : service_(*service) {}

  /// Returns the answer to a message, as one line; none if the message asks for none.
  std::optional<std::string> Take(std::string_view line);

  /// Returns the answer to a line that is too long to be read.
  static std::string RefuseLength();

 private:
  Service& service_;
};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_MCP_H_
