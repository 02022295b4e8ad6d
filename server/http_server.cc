#include "http_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl/stream.hpp>
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
#include <tuple>
#include <type_traits>
#include <utility>  // asio of this version needs it

#include "endpoints.h"
#include "tls.h"

namespace lookalike::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Parser = http::request_parser<http::string_body>;
using Head = http::request_header<>;
using Response = http::response<http::string_body>;

std::string_view View(beast::string_view text) { return {text.data(), text.size()}; }

/// True if the texts are equal but for upper and lower case.
bool IsWord(std::string_view text, std::string_view word) {
  return beast::iequals(beast::string_view(text.data(), text.size()),
                        beast::string_view(word.data(), word.size()));
}

/// Returns a new request id.
std::string NewRequestId() {
  static thread_local std::mt19937_64 random{std::random_device{}()};
  return fmt::format("{:016x}", random());
}

/// Returns the id that the caller gave, or a new one: it goes back to him, and into the log.
std::string RequestIdOf(const Head& head) {
  const std::string_view given = View(head["X-Request-Id"]);
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
std::string_view TokenOf(const Head& head) {
  if (const auto key = View(head["api-key"]); !key.empty()) return key;
  const std::string_view given = View(head[http::field::authorization]);
  const size_t gap = given.find(' ');
  if (gap == given.npos || !IsWord(given.substr(0, gap), "bearer")) return {};
  return given.substr(std::min(given.find_first_not_of(' ', gap), given.size()));
}

/// The name of a host without its port, in lower case where that matters.
std::string_view HostOf(std::string_view authority) {
  const size_t scheme = authority.find("://");
  if (scheme != authority.npos) authority.remove_prefix(scheme + 3);
  if (authority.starts_with('[')) return authority.substr(0, authority.find(']') + 1);
  return authority.substr(0, authority.rfind(':'));
}

bool IsThisMachine(std::string_view host) {
  return IsWord(host, "localhost") || host == "127.0.0.1" || host == "[::1]";
}

/// True if a page of another site may have sent a request, which has no token to tell: by its
/// Origin, or by a name of that site that leads to this machine (DNS rebinding).
bool IsFromAnotherSite(const Head& head) {
  if (!IsThisMachine(HostOf(View(head[http::field::host])))) return true;
  const std::string_view origin = View(head[http::field::origin]);
  return !origin.empty() && !IsThisMachine(HostOf(origin));
}

/// Returns what is wrong with the head of a request. Beast checks its syntax and no more; what two
/// servers could read in two ways is refused (RFC 9112, 3.2 and 6.3).
std::string_view WhyRefused(const Head& head) {
  if (head.count(http::field::content_length) > 1) return "there are several Content-Length";
  if (const size_t codings = head.count(http::field::transfer_encoding); codings > 0) {
    if (head.count(http::field::content_length) > 0) {
      return "Content-Length and Transfer-Encoding are both there";
    }
    if (codings > 1 || !IsWord(View(head[http::field::transfer_encoding]), "chunked") ||
        head.version() != 11) {
      return "Transfer-Encoding can only be chunked";
    }
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
  Served served;
  const Tokens& tokens;
  const HttpSettings& settings;
  const std::function<void(const RequestFacts&)>& log;
  asio::thread_pool workers;
  std::unique_ptr<asio::ssl::context> tls;  ///< Null: nothing is encrypted.
  std::atomic<bool> abandons = false;  ///< Work that no worker has begun is not begun any more.
  bool stopping = false;               ///< Like all below, for the thread of connections alone.
  std::list<beast::tcp_stream*> streams = {};  ///< The open ones,
  std::list<beast::tcp_stream*> idle = {};     ///< and those that wait for a request.
  int64_t waiting = 0, bytes = 0;  ///< Requests, and the bytes of all bodies and answers.
};

/// Adds to counters for as long as this lives.
template <class... Counter>
class Counted {
 public:
  explicit Counted(int64_t amount, Counter*... counters) : amount_(amount), counters_(counters...) {
    std::apply([&](auto*... each) { ((*each += amount_), ...); }, counters_);
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() {
    std::apply([&](auto*... each) { ((*each -= amount_), ...); }, counters_);
  }

 private:
  int64_t amount_;
  std::tuple<Counter*...> counters_;
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
Answer RunGuarded(const Route& route, const Received& received, const Served& served) {
  try {
    return Run(route, received, served);
  } catch (const std::bad_alloc&) {
    return Problem(503, "there is too little memory for this request now");
  } catch (const std::exception& error) {
    served.service->Tell(fmt::format("{} failed: {}", route.endpoint->name, error.what()));
    return Problem(500, "the server failed; its log says why");
  }
}

/// The part of a request that its body, or what follows it (RFC 9110, 6.5.1), must not change.
struct HeadFacts {
  Route route;
  std::string method, target, content_type, id;
  bool is_head = false, keeps_alive = false;
  unsigned version = 11;
  int64_t bytes = 0;  ///< That the body has, or may have.

  [[nodiscard]] std::string_view path() const {
    return route.endpoint ? route.endpoint->path : "none";
  }
  /// Names that callers can invent would fill the memory of whoever collects the figures.
  [[nodiscard]] std::string_view known_method() const {
    return route.endpoint ? std::string_view(method) : "none";
  }
};

/// Encrypted connections.
using TlsStream = asio::ssl::stream<beast::tcp_stream>;

/// One connection, request after request. Parameters of coroutines are references to what the
/// caller holds: g++ 12 destroys some temporaries of co_await expressions twice.
template <class Stream>
class Connection {
 public:
  Connection(Stream stream, Shared* shared)
      : stream_(std::move(stream)),
        tcp_(beast::get_lowest_layer(stream_)),
        shared_(*shared),
        metrics_(shared->served.service->metrics()),
        counted_(1, &metrics_.connections) {}

  asio::awaitable<void> Run() {
    const Listed open(&shared_.streams, &tcp_);
    const bool is_too_many = metrics_.connections > shared_.settings.most_connections;
    if (is_too_many) metrics_.CountRefusal(Refusal::kOverload);
    // Saying so takes a handshake, which costs more than what it says.
    if (is_too_many && kIsEncrypted) co_return;
    if (!co_await ShakeHands()) co_return;
    if (is_too_many) {
      Answer answer = Problem(503, "there are too many connections");
      co_await Refuse(&unknown_, &answer);
    } else {
      for (bool first = true; !shared_.stopping && co_await Serve(first); first = false) {
      }
    }
    co_await EndSending();
  }

 private:
  static constexpr bool kIsEncrypted = std::is_same_v<Stream, TlsStream>;
  /// For the caller to take the end of a connection in.
  static constexpr std::chrono::seconds kToEnd{2};
  static constexpr size_t kMostBuffer = size_t{64} << 10;
  /// The room that is kept for a body of unknown size.
  static constexpr int64_t kUnknownBody = int64_t{4} << 20;

  /// Agrees on keys. Returns false if the caller does not.
  asio::awaitable<bool> ShakeHands() {
    error_code error;
    if constexpr (kIsEncrypted) {
      const Listed idle(&shared_.idle, &tcp_);
      tcp_.expires_after(shared_.settings.to_header);
      co_await stream_.async_handshake(asio::ssl::stream_base::server,
                                       asio::redirect_error(asio::use_awaitable, error));
      if (error) {
        metrics_.CountRefusal(error == beast::error::timeout ? Refusal::kTimeout
                                                             : Refusal::kMalformed);
      }
    }
    co_return !error;
  }

  asio::awaitable<void> EndSending() {
    error_code error;
    tcp_.expires_after(kToEnd);
    if constexpr (kIsEncrypted) {
      co_await stream_.async_shutdown(asio::redirect_error(asio::use_awaitable, error));
    }
    tcp_.socket().shutdown(tcp::socket::shutdown_send, error);
  }

  /// Serves one request. Returns false if the connection ends with it.
  asio::awaitable<bool> Serve(bool first) {
    Parser parser;
    parser.header_limit(shared_.settings.most_header);
    parser.body_limit(shared_.settings.most_body);
    if (const error_code error = co_await ReadHead(&parser, first)) {
      co_return co_await RefuseUnreadable(&unknown_, error);
    }
    const std::string_view wrong = WhyRefused(parser.get());
    if (!wrong.empty()) {
      metrics_.CountRefusal(Refusal::kMalformed);
      Answer answer = Problem(400, wrong);
      co_return co_await Refuse(&unknown_, &answer);
    }
    HeadFacts head = FactsOf(parser);
    if (auto refusal = WhyTurnedAway(parser.get(), head)) {
      if (refusal->status == 503) metrics_.CountRefusal(Refusal::kOverload);
      if (refusal->status == 401 || refusal->status == 403) {
        metrics_.CountRefusal(Refusal::kForbidden);
      }
      if (head.bytes > 0) co_return co_await Refuse(&head, &*refusal);
      co_return co_await Finish(head, &*refusal, 0, Clock::now());
    }
    // For as long as the body or the answer is in memory.
    const Counted held(head.bytes, &shared_.bytes);
    if (const error_code error = co_await ReadBody(&parser)) {
      co_return co_await RefuseUnreadable(&head, error);
    }
    const auto began = Clock::now();
    std::string body = std::move(parser.get().body());
    Answer answer = co_await AnswerTo(head, body);
    const uint64_t bytes_in = body.size();
    body = std::string();
    co_return co_await Finish(head, &answer, bytes_in, began);
  }

  [[nodiscard]] HeadFacts FactsOf(const Parser& parser) const {
    const auto& request = parser.get();
    HeadFacts head;
    head.method = View(request.method_string());
    head.target = View(request.target());
    head.content_type = View(request[http::field::content_type]);
    head.id = RequestIdOf(request);
    head.is_head = request.method() == http::verb::head;
    head.keeps_alive = request.keep_alive();
    head.version = request.version();
    head.route = FindRoute(shared_.served, head.method, head.target);
    if (const auto length = parser.content_length()) {
      head.bytes = static_cast<int64_t>(*length);
    } else if (parser.chunked()) {
      head.bytes = kUnknownBody;
    }
    return head;
  }

  /// Waits for a request, and reads its head.
  asio::awaitable<error_code> ReadHead(Parser* parser, bool first) {
    error_code error;
    if (buffer_.size() == 0) {
      const Listed idle(&shared_.idle, &tcp_);
      tcp_.expires_after(first ? shared_.settings.to_header : shared_.settings.idle);
      const size_t some = co_await stream_.async_read_some(
          buffer_.prepare(4096), asio::redirect_error(asio::use_awaitable, error));
      buffer_.commit(some);
      if (error) co_return error;
    }
    tcp_.expires_after(shared_.settings.to_header);
    co_await http::async_read_header(stream_, buffer_, *parser,
                                     asio::redirect_error(asio::use_awaitable, error));
    if (error == beast::error::timeout) metrics_.CountRefusal(Refusal::kTimeout);
    co_return error;
  }

  asio::awaitable<error_code> ReadBody(Parser* parser) {
    error_code error;
    if (parser->is_done()) co_return error;
    tcp_.expires_after(shared_.settings.to_body);
    if (IsWord(View(parser->get()[http::field::expect]), "100-continue")) {
      http::response<http::empty_body> go_on{http::status::continue_, 11};
      co_await http::async_write(stream_, go_on, asio::redirect_error(asio::use_awaitable, error));
      if (error) co_return error;
    }
    co_await http::async_read(stream_, buffer_, *parser,
                              asio::redirect_error(asio::use_awaitable, error));
    if (error == beast::error::timeout) metrics_.CountRefusal(Refusal::kTimeout);
    co_return error;
  }

  asio::awaitable<bool> RefuseUnreadable(HeadFacts* head, error_code error) {
    const int status = StatusOf(error);
    if (status == 0) co_return false;
    const bool too_large = status == 413 || status == 431;
    metrics_.CountRefusal(too_large ? Refusal::kTooLarge : Refusal::kMalformed);
    Answer answer = Unreadable(status);
    co_return co_await Refuse(head, &answer);
  }

  /// Answers a request whose rest is not read, so that the connection ends.
  asio::awaitable<bool> Refuse(HeadFacts* head, Answer* answer) {
    head->keeps_alive = false;
    if (head->id.empty()) head->id = NewRequestId();
    (void)co_await Finish(*head, answer, 0, Clock::now());
    co_await EndSending();
    // Bytes that the caller still sends are dropped for a moment, or else its system drops the
    // answer.
    error_code error;
    tcp_.expires_after(kToEnd);
    std::array<char, 65536> dropped;
    while (!error) {
      co_await tcp_.async_read_some(asio::buffer(dropped),
                                    asio::redirect_error(asio::use_awaitable, error));
    }
    co_return false;
  }

  /// Returns the answer to a request whose body need not be read: its caller may not ask for this,
  /// there is no such endpoint, or no room.
  [[nodiscard]] std::optional<Answer> WhyTurnedAway(const Head& request,
                                                    const HeadFacts& head) const {
    if (shared_.tokens.empty() && IsFromAnotherSite(request)) {
      return Problem(403, "without tokens, the server answers to 127.0.0.1 and localhost alone");
    }
    if (auto forbidden = WhyForbidden(request, head.route)) return forbidden;
    if (head.route.endpoint == nullptr) return head.route.refusal;
    if (head.route.endpoint->body == nullptr && head.bytes > 0) {
      return Problem(400, "this takes no body");
    }
    if (head.route.endpoint->queue != Queue::kWaits) return std::nullopt;
    const bool is_full = shared_.waiting >= shared_.settings.most_waiting ||
                         shared_.bytes + head.bytes > shared_.settings.most_bytes;
    if (!is_full) return std::nullopt;
    return Problem(503, "too many requests are waiting; try again in a second");
  }

  /// Returns the answer to somebody who may not use an endpoint. Without a token, nobody learns
  /// which paths there are.
  [[nodiscard]] std::optional<Answer> WhyForbidden(const Head& request, const Route& route) const {
    if (shared_.tokens.empty()) return std::nullopt;
    if (route.endpoint != nullptr && route.endpoint->scope == kAnyone) return std::nullopt;
    const std::string_view token = TokenOf(request);
    const uint8_t scopes = token.empty() ? 0 : shared_.tokens.ScopesOf(token);
    if (scopes == 0) {
      return Problem(401, "send a token: Authorization: Bearer TOKEN, or api-key: TOKEN");
    }
    if (route.endpoint == nullptr || (scopes & route.endpoint->scope) != 0) return std::nullopt;
    return Problem(403,
                   fmt::format("this needs a token with scope {}", NamesOf(route.endpoint->scope)));
  }

  asio::awaitable<Answer> AnswerTo(const HeadFacts& head, const std::string& body) {
    const Received received = {head.method, head.target, head.content_type, body};
    if (head.route.endpoint->queue == Queue::kNone) {
      co_return RunGuarded(head.route, received, shared_.served);
    }
    const Counted waits(1, &shared_.waiting, &metrics_.waiting);
    co_return co_await RunOnWorker(&shared_.workers, [&shared = shared_, &head, received] {
      if (shared.abandons) return Problem(503, "the server is stopping");
      return RunGuarded(head.route, received, shared.served);
    });
  }

  /// Writes an answer, and tells of it. Returns true if the connection goes on.
  asio::awaitable<bool> Finish(const HeadFacts& head, Answer* answer, uint64_t bytes_in,
                               Clock::time_point began) {
    const int status = answer->status;
    const uint64_t bytes_out = head.is_head ? 0 : answer->body.size();
    const std::chrono::duration<double> seconds = Clock::now() - began;
    metrics_.CountRequest(head.known_method(), head.path(), status, seconds.count());
    shared_.log(
        {head.known_method(), head.path(), status, seconds.count(), bytes_in, bytes_out, head.id});
    const bool goes_on = head.keeps_alive && !shared_.stopping;
    const bool written = co_await Write(head, answer, goes_on);
    co_return written&& goes_on;
  }

  /// Returns false if writing failed.
  asio::awaitable<bool> Write(const HeadFacts& head, Answer* answer, bool goes_on) {
    const Counted held(static_cast<int64_t>(answer->body.size()), &shared_.bytes);
    Response response;
    response.version(head.version);
    response.result(static_cast<unsigned>(answer->status));
    const std::string_view phrase = PhraseOf(answer->status);
    response.reason(beast::string_view(phrase.data(), phrase.size()));
    response.set(http::field::content_type,
                 beast::string_view(answer->content_type.data(), answer->content_type.size()));
    response.set("X-Request-Id", head.id);
    response.set(http::field::cache_control, "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    for (const auto& [name, value] : answer->headers) {
      response.set(beast::string_view(name.data(), name.size()), value);
    }
    response.keep_alive(goes_on);
    response.content_length(answer->body.size());
    if (!head.is_head) response.body() = std::move(answer->body);
    error_code error;
    tcp_.expires_after(shared_.settings.to_body);
    http::response_serializer<http::string_body> serializer{response};
    if (head.is_head) {
      co_await http::async_write_header(stream_, serializer,
                                        asio::redirect_error(asio::use_awaitable, error));
    } else {
      co_await http::async_write(stream_, serializer,
                                 asio::redirect_error(asio::use_awaitable, error));
    }
    co_return !error;
  }

  Stream stream_;
  beast::tcp_stream& tcp_;  // below it
  beast::flat_buffer buffer_{kMostBuffer};
  Shared& shared_;
  Metrics& metrics_;
  Counted<std::atomic<int64_t>> counted_;
  HeadFacts unknown_;  // of a request whose head is none
};

template <class Stream>
asio::awaitable<void> RunConnection(Stream stream, Shared* shared) {
  Connection<Stream> connection(std::move(stream), shared);
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
    const auto executor = co_await asio::this_coro::executor;
    beast::tcp_stream stream(std::move(socket));
    if (shared->tls == nullptr) {
      asio::co_spawn(executor, RunConnection(std::move(stream), shared), asio::detached);
    } else {
      asio::co_spawn(executor, RunConnection(TlsStream(std::move(stream), *shared->tls), shared),
                     asio::detached);
    }
  }
}

/// Ends what waits, and what is still under way after a while.
asio::awaitable<void> Stop(tcp::acceptor* acceptor, Shared* shared) {
  shared->stopping = true;
  shared->served.service->BeginStop();
  error_code error;
  acceptor->close(error);
  for (beast::tcp_stream* stream : shared->idle) stream->cancel();
  asio::steady_timer timer(co_await asio::this_coro::executor);
  const auto end = Clock::now() + shared->settings.to_stop;
  while (!shared->streams.empty() && Clock::now() < end) {
    timer.expires_after(std::chrono::milliseconds(20));
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, error));
  }
  shared->abandons = true;
  for (beast::tcp_stream* stream : shared->streams) stream->close();
}

/// Waits for signals. The first one begins the end; the next ends the process at once, which loses
/// nothing that was acknowledged.
void Wait(asio::signal_set* signals, tcp::acceptor* acceptor, Shared* shared) {
  signals->async_wait([=](const error_code& error, int /*signal*/) {
    if (error) return;
    if (shared->stopping) std::_Exit(EXIT_FAILURE);
    asio::co_spawn(acceptor->get_executor(), Stop(acceptor, shared), asio::detached);
    Wait(signals, acceptor, shared);
  });
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

Status ServeHttp(const Served& served, const Tokens& tokens, const HttpSettings& settings,
                 const std::function<void(uint16_t)>& started,
                 const std::function<void(const RequestFacts&)>& log) {
  asio::io_context context{1};
  tcp::acceptor acceptor(context);
  LOOKALIKE_RETURN_IF_ERROR(Listen(settings, &acceptor));
  std::unique_ptr<asio::ssl::context> tls;
  if (!settings.certificate.empty()) {
    LOOKALIKE_ASSIGN_OR_RETURN(tls, MakeTls(settings.certificate, settings.key));
  }
  Shared shared{served, tokens, settings, log, asio::thread_pool(settings.threads), std::move(tls)};
  asio::signal_set signals(context, SIGINT, SIGTERM, SIGHUP);
  Wait(&signals, &acceptor, &shared);
  asio::co_spawn(context, Accept(&acceptor, &shared), asio::detached);
  started(acceptor.local_endpoint().port());
  // Signals are waited for until the last connection has ended.
  while (!shared.stopping || !shared.streams.empty()) context.run_one();
  // From here on, a signal has its usual effect.
  signals.cancel();
  signals.clear();
  context.run();
  shared.workers.join();
  served.service->FinishOperations();
  return {};
}

}  // namespace lookalike::server
