// Encryption of connections.
#ifndef LOOKALIKE_SERVER_TLS_H_
#define LOOKALIKE_SERVER_TLS_H_

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

#include "lookalike/status.h"

namespace lookalike::server {

/// Returns what connections need to speak TLS 1.2 or later. `certificate`: a file in PEM with the
/// certificate of the server, and then those that lead to a known one. `key`: a file in PEM with
/// its private key, without a password.
Result<std::unique_ptr<boost::asio::ssl::context>> MakeTls(const std::string& certificate,
                                                           const std::string& key);

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_TLS_H_
