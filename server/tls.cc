#include "tls.h"

#include <fmt/format.h>
#include <openssl/ssl.h>

#include <utility>  // asio of this version needs it

namespace lookalike::server {

namespace ssl = boost::asio::ssl;

Result<std::unique_ptr<ssl::context>> MakeTls(const std::string& certificate,
                                              const std::string& key) {
  auto tls = std::make_unique<ssl::context>(ssl::context::tls_server);
  boost::system::error_code error;
  tls->set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 |
                       ssl::context::no_tlsv1_1 | ssl::context::no_compression |
                       SSL_OP_NO_RENEGOTIATION,
                   error);
  if (error) return BugError(fmt::format("TLS cannot be set up: {}", error.message()));
  // Idle connections keep no buffers, and the server no sessions: callers keep them in tickets.
  SSL_CTX_set_mode(tls->native_handle(), SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(tls->native_handle(), SSL_SESS_CACHE_OFF);
  tls->use_certificate_chain_file(certificate, error);
  if (error) {
    return UsageError(fmt::format("is not a certificate in PEM: {}", error.message()), certificate);
  }
  // Otherwise, a key with a password is asked for on the terminal.
  tls->set_password_callback([](size_t, ssl::context::password_purpose) { return std::string(); },
                             error);
  tls->use_private_key_file(key, ssl::context::pem, error);
  if (!error && SSL_CTX_check_private_key(tls->native_handle()) == 1) return tls;
  return UsageError(fmt::format("is not the private key of {} in PEM, without a password{}{}",
                                certificate, error ? ": " : "", error ? error.message() : ""),
                    key);
}

}  // namespace lookalike::server
