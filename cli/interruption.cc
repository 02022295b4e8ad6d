#include "interruption.h"

#include <atomic>
#include <csignal>

namespace lookalike::cli {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "it is set in a signal handler");

extern "C" void OnSignal(int) {
  interrupted = true;
  for (const int number : kSignals) std::signal(number, SIG_DFL);
}

}  // namespace

void CatchInterruption() {
  for (const int number : kSignals) {
    struct sigaction action = {};
    sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = OnSignal;
    action.sa_flags = SA_RESTART;  // reads and writes of libraries continue, so none seems broken
    sigaction(number, &action, nullptr);
  }
}

bool IsInterrupted() { return interrupted; }

}  // namespace lookalike::cli
