#include "http_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <csignal>
#include <list>
#include <memory>
#include <optional>
#include <random>
#include <utility>  // asio of this version needs it

#include "endpoints.h"

namespace lookalike::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Parser = http::request_parser<http::string_body>;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

std::string_view View(beast::string_view text) { return {text.data(), text.size()}; }

/// Returns a new request id.
std::string NewRequestId() {
  static thread_local std::mt19937_64 random{std::random_device{}()};
  return fmt::format("{:016x}", random());
}

/// Returns the id that the caller gave, or a new one: it goes back to him, and into the log.
std::string RequestIdOf(const Request& request) {
  const std::string_view given = View(request["X-Request-Id"]);
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-' ||
           c == '_';
  };
  if (!given.empty() && given.size() <= 64 && std::ranges::all_of(given, is_plain)) {
    return std::string(given);
  }
  return NewRequestId();
}

/// Returns the token of a request, from either header; empty if it has none.
std::string_view TokenOf(const Request& request) {
  if (const auto key = View(request["api-key"]); !key.empty()) return key;
  const std::string_view given = View(request[http::field::authorization]);
  const size_t gap = given.find(' ');
  if (gap == given.npos || !beast::iequals(beast::string_view(given.data(), gap), "bearer"))
    return {};
  return given.substr(given.find_first_not_of(' ', gap));
}

/// Returns what is wrong with the head of a request. Beast checks its syntax and no more; what two
/// servers could read in two ways is refused (RFC 9112, 3.2 and 6.3).
std::string_view WhyRefused(const Request& head) {
  if (head.count(http::field::content_length) > 1) return "there are several Content-Length";
  if (head.count(http::field::transfer_encoding) > 0 &&
      head.count(http::field::content_length) > 0) {
    return "Content-Length and Transfer-Encoding are both there";
  }
  const size_t hosts = head.count(http::field::host);
  if (hosts > 1 || (hosts == 0 && head.version() == 11)) return "there must be one Host";
  const std::string_view target = View(head.target());
  if (target.empty() || target.front() != '/') return "the target must be a path";
  return {};
}

/// Returns the status of the answer to a request that cannot be read; 0: the connection just ends.
int StatusOf(const error_code& error) {
  if (error == http::error::body_limit) return 413;
  if (error == http::error::header_limit || error == http::error::buffer_overflow) return 431;
  if (error == http::error::end_of_stream || error == http::error::partial_message) return 0;
  return error.category() == make_error_code(http::error::bad_method).category() ? 400 : 0;
}

Answer Unreadable(int status) {
  if (status == 413) return Problem(413, "the body is too large; send less in one request");
  if (status == 431) return Problem(431, "the header is too large");
  return Problem(400, "this is not a proper HTTP request");
}

/// Everything that connections share.
struct Shared {
  Service* service;
  const Tokens& tokens;
  const HttpSettings& settings;
  const std::function<void(const RequestFacts&)>& log;
  asio::thread_pool workers;
  bool stopping = false;  ///< Like all below, for the thread of connections alone.
  std::list<beast::tcp_stream*> streams = {};  ///< The open ones,
  std::list<beast::tcp_stream*> idle = {};     ///< and those that wait for a request.
  int64_t waiting = 0, waiting_bytes = 0;
};

/// Keeps something in a list for as long as this lives.
class Listed {
 public:
  Listed(std::list<beast::tcp_stream*>* list, beast::tcp_stream* stream)
      : list_(*list), at_(list->insert(list->end(), stream)) {}
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;
  ~Listed() { list_.erase(at_); }

 private:
  std::list<beast::tcp_stream*>& list_;
  std::list<beast::tcp_stream*>::iterator at_;
};

/// Runs work on a worker, and goes on on the thread of the connection.
template <class Work>
asio::awaitable<Answer> RunOnWorker(asio::thread_pool* workers, Work work) {
  return asio::async_initiate<const asio::use_awaitable_t<>, void(Answer)>(
      [workers](auto handler, Work inner) {
        const auto executor = asio::get_associated_executor(handler);
        asio::post(*workers, [handler = std::move(handler), inner = std::move(inner), executor,
                              guard = asio::make_work_guard(executor)]() mutable {
          Answer answer = inner();
          asio::post(executor,
                     [handler = std::move(handler), answer = std::move(answer)]() mutable {
                       std::move(handler)(std::move(answer));
                     });
        });
      },
      asio::use_awaitable, std::move(work));
}

/// Calls an endpoint; an exception is a defect.
Answer RunGuarded(const Route& route, const Received& received, Service* service) {
  try {
    return Run(route, received, service);
  } catch (const std::bad_alloc&) {
    return Problem(503, "there is too little memory for this request now");
  } catch (const std::exception&) {
    return Problem(500, "the server failed");
  }
}

/// One connection, request after request.
class Connection {
 public:
  Connection(tcp::socket socket, Shared* shared) : stream_(std::move(socket)), shared_(*shared) {}

  asio::awaitable<void> Run() {
    const Listed open(&shared_.streams, &stream_);
    Metrics& metrics = shared_.service->metrics();
    if (++metrics.connections > shared_.settings.most_connections) {
      metrics.CountRefusal(Refusal::kOverload);
      co_await Write(Problem(503, "there are too many connections"), nullptr, false,
                     NewRequestId());
    } else {
      for (bool first = true; !shared_.stopping && co_await Serve(first); first = false) {
      }
    }
    --metrics.connections;
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

 private:
  static constexpr size_t kMostBuffer = size_t{64} << 10;

  /// Serves one request. Returns false if the connection ends with it.
  asio::awaitable<bool> Serve(bool first) {
    Parser parser;
    parser.header_limit(shared_.settings.most_header);
    parser.body_limit(shared_.settings.most_body);
    error_code error = co_await ReadHead(&parser, first);
    if (!error) {
      const std::string_view wrong = WhyRefused(parser.get());
      if (!wrong.empty()) co_return co_await Refuse(Problem(400, wrong), Refusal::kMalformed);
      error = co_await ReadBody(&parser);
    }
    if (error) co_return co_await RefuseUnreadable(error);
    const Request request = parser.release();
    const auto began = Clock::now();
    const Route route = FindRoute(View(request.method_string()), View(request.target()));
    Answer answer = co_await AnswerTo(request, route);
    const std::string id = RequestIdOf(request);
    const std::chrono::duration<double> seconds = Clock::now() - began;
    Report(request, route, answer, id, seconds.count());
    const bool goes_on = request.keep_alive() && !shared_.stopping;
    const bool written = co_await Write(std::move(answer), &request, goes_on, id);
    co_return written&& goes_on;
  }

  /// Waits for a request, and reads its head.
  asio::awaitable<error_code> ReadHead(Parser* parser, bool first) {
    error_code error;
    if (buffer_.size() == 0) {
      const Listed idle(&shared_.idle, &stream_);
      stream_.expires_after(first ? shared_.settings.to_header : shared_.settings.idle);
      const size_t some = co_await stream_.async_read_some(
          buffer_.prepare(4096), asio::redirect_error(asio::use_awaitable, error));
      buffer_.commit(some);
      if (error) co_return error;
    }
    stream_.expires_after(shared_.settings.to_header);
    co_await http::async_read_header(stream_, buffer_, *parser,
                                     asio::redirect_error(asio::use_awaitable, error));
    co_return error;
  }

  asio::awaitable<error_code> ReadBody(Parser* parser) {
    error_code error;
    stream_.expires_after(shared_.settings.to_body);
    const std::string_view expected = View(parser->get()[http::field::expect]);
    if (beast::iequals(beast::string_view(expected.data(), expected.size()), "100-continue") &&
        !parser->is_done()) {
      http::response<http::empty_body> go_on{http::status::continue_, 11};
      co_await http::async_write(stream_, go_on, asio::redirect_error(asio::use_awaitable, error));
      if (error) co_return error;
    }
    co_await http::async_read(stream_, buffer_, *parser,
                              asio::redirect_error(asio::use_awaitable, error));
    co_return error;
  }

  asio::awaitable<bool> RefuseUnreadable(const error_code& error) {
    Metrics& metrics = shared_.service->metrics();
    if (error == beast::error::timeout) metrics.CountRefusal(Refusal::kTimeout);
    const int status = StatusOf(error);
    if (status == 0) co_return false;
    const bool too_large = status == 413 || status == 431;
    co_return co_await Refuse(Unreadable(status),
                              too_large ? Refusal::kTooLarge : Refusal::kMalformed);
  }

  /// Answers a request that no endpoint sees. The connection ends, because it is unknown where the
  /// next request would begin.
  asio::awaitable<bool> Refuse(Answer answer, Refusal why) {
    shared_.service->metrics().CountRefusal(why);
    co_await Write(std::move(answer), nullptr, false, NewRequestId());
    error_code error;
    stream_.socket().shutdown(tcp::socket::shutdown_send, error);
    // Bytes that the caller still sends are read for a moment, or else its system drops the answer.
    stream_.expires_after(std::chrono::seconds(1));
    std::array<char, 16384> dropped;
    for (int i = 0; i < 64 && !error; ++i) {
      co_await stream_.async_read_some(asio::buffer(dropped),
                                       asio::redirect_error(asio::use_awaitable, error));
    }
    co_return false;
  }

  /// Returns the answer to somebody who may not use an endpoint.
  [[nodiscard]] std::optional<Answer> WhyForbidden(const Request& request,
                                                   const Endpoint& endpoint) const {
    if (shared_.tokens.empty() || endpoint.scope == kAnyone) return std::nullopt;
    const std::string_view token = TokenOf(request);
    const uint8_t scopes = token.empty() ? 0 : shared_.tokens.ScopesOf(token);
    if (scopes == 0) {
      return Problem(401, "send a token: Authorization: Bearer TOKEN, or api-key: TOKEN");
    }
    if ((scopes & endpoint.scope) != 0) return std::nullopt;
    return Problem(403, fmt::format("this needs a token with scope {}", NameOf(endpoint.scope)));
  }

  asio::awaitable<Answer> AnswerTo(const Request& request, const Route& route) {
    // Without a token, nobody learns which paths there are.
    static constexpr Endpoint kAnyPath = {"", "", kRead, "", ""};
    if (auto forbidden = WhyForbidden(request, route.endpoint ? *route.endpoint : kAnyPath)) {
      if (route.endpoint != nullptr || forbidden->status == 401) co_return *std::move(forbidden);
    }
    if (route.endpoint == nullptr) co_return route.refusal;
    const Received received = {View(request.method_string()), View(request.target()),
                               View(request[http::field::content_type]), request.body()};
    if (route.endpoint->is_quick) co_return RunGuarded(route, received, shared_.service);
    const auto bytes = static_cast<int64_t>(request.body().size());
    Metrics& metrics = shared_.service->metrics();
    const bool is_full = shared_.waiting >= shared_.settings.most_waiting ||
                         shared_.waiting_bytes + bytes > shared_.settings.most_waiting_bytes;
    if (is_full) {
      metrics.CountRefusal(Refusal::kOverload);
      co_return Problem(503, "too many requests are waiting; try again in a second");
    }
    ++shared_.waiting, ++metrics.waiting;
    shared_.waiting_bytes += bytes;
    Answer answer =
        co_await RunOnWorker(&shared_.workers, [&route, received, service = shared_.service] {
          return RunGuarded(route, received, service);
        });
    --shared_.waiting, --metrics.waiting;
    shared_.waiting_bytes -= bytes;
    co_return answer;
  }

  /// Writes an answer. `request`: null if it could not be read. Returns false if that failed.
  asio::awaitable<bool> Write(Answer answer, const Request* request, bool goes_on, std::string id) {
    Response response;
    response.version(request == nullptr ? 11 : request->version());
    response.result(static_cast<unsigned>(answer.status));
    response.reason(
        beast::string_view(PhraseOf(answer.status).data(), PhraseOf(answer.status).size()));
    response.set(http::field::content_type,
                 beast::string_view(answer.content_type.data(), answer.content_type.size()));
    response.set("X-Request-Id", id);
    response.set(http::field::cache_control, "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    for (const auto& [name, value] : answer.headers) {
      response.set(beast::string_view(name.data(), name.size()), value);
    }
    response.keep_alive(goes_on);
    response.content_length(answer.body.size());
    const bool is_head = request != nullptr && request->method() == http::verb::head;
    if (!is_head) response.body() = std::move(answer.body);
    error_code error;
    stream_.expires_after(shared_.settings.to_body);
    http::response_serializer<http::string_body> serializer{response};
    if (is_head) {
      co_await http::async_write_header(stream_, serializer,
                                        asio::redirect_error(asio::use_awaitable, error));
    } else {
      co_await http::async_write(stream_, serializer,
                                 asio::redirect_error(asio::use_awaitable, error));
    }
    co_return !error;
  }

  void Report(const Request& request, const Route& route, const Answer& answer,
              const std::string& id, double seconds) const {
    // Names that callers can invent would fill the memory of whoever collects the figures.
    const bool known = route.endpoint != nullptr;
    const std::string_view path = known ? route.endpoint->path : "none";
    const std::string_view method = known ? View(request.method_string()) : "none";
    shared_.service->metrics().CountRequest(method, path, answer.status, seconds);
    shared_.log(
        {method, path, answer.status, seconds, request.body().size(), answer.body.size(), id});
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{kMostBuffer};
  Shared& shared_;
};

asio::awaitable<void> RunConnection(tcp::socket socket, Shared* shared) {
  Connection connection(std::move(socket), shared);
  co_await connection.Run();
}

asio::awaitable<void> Accept(tcp::acceptor* acceptor, Shared* shared) {
  while (!shared->stopping) {
    error_code error;
    tcp::socket socket =
        co_await acceptor->async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (shared->stopping) break;
    if (error) {  // such as no free descriptor: others may be closed soon
      asio::steady_timer pause(co_await asio::this_coro::executor, std::chrono::milliseconds(50));
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
      continue;
    }
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    asio::co_spawn(co_await asio::this_coro::executor, RunConnection(std::move(socket), shared),
                   asio::detached);
  }
}

/// Ends what waits, and what is still under way after a while.
asio::awaitable<void> Stop(tcp::acceptor* acceptor, Shared* shared) {
  shared->stopping = true;
  shared->service->BeginStop();
  error_code error;
  acceptor->close(error);
  for (beast::tcp_stream* stream : shared->idle) stream->cancel();
  asio::steady_timer timer(co_await asio::this_coro::executor);
  const auto end = Clock::now() + shared->settings.to_stop;
  while (!shared->streams.empty() && Clock::now() < end) {
    timer.expires_after(std::chrono::milliseconds(20));
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, error));
  }
  for (beast::tcp_stream* stream : shared->streams) stream->cancel();
}

/// Opens the port. `acceptor` then listens.
Status Listen(const HttpSettings& settings, tcp::acceptor* acceptor) {
  error_code error;
  const asio::ip::address address = asio::ip::make_address(settings.address, error);
  const std::string name = fmt::format("{}:{}", settings.address, settings.port);
  if (error) return UsageError("is not an IP address, such as 127.0.0.1", settings.address);
  const tcp::endpoint endpoint(address, settings.port);
  acceptor->open(endpoint.protocol(), error);
  if (!error) acceptor->set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor->bind(endpoint, error);
  if (!error) acceptor->listen(4096, error);
  if (!error) return {};
  return UsageError(
      fmt::format("cannot be listened on: {}; choose another --listen", error.message()), name);
}

}  // namespace

Status ServeHttp(Service* service, const Tokens& tokens, const HttpSettings& settings,
                 const std::function<void(uint16_t)>& started,
                 const std::function<void(const RequestFacts&)>& log) {
  asio::io_context context{1};
  tcp::acceptor acceptor(context);
  LOOKALIKE_RETURN_IF_ERROR(Listen(settings, &acceptor));
  Shared shared{service, tokens, settings, log, asio::thread_pool(settings.threads)};
  asio::signal_set signals(context, SIGINT, SIGTERM);
  signals.async_wait([&](const error_code& error, int /*signal*/) {
    if (!error) asio::co_spawn(context, Stop(&acceptor, &shared), asio::detached);
  });
  asio::co_spawn(context, Accept(&acceptor, &shared), asio::detached);
  started(acceptor.local_endpoint().port());
  context.run();
  shared.workers.join();
  service->FinishOperations();
  return {};
}

}  // namespace lookalike::server
