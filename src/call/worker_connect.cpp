#include "call/lane_core.hpp"
#include "call/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hive::call {
namespace {

constexpr std::size_t kept_max = 4; // connections of one worker, each to another target

// A connection that was used a moment ago is not asked whether it still lives: that would cost a
// system call for each request.
constexpr Duration trusted_for = std::chrono::milliseconds{20};

Failure at(const Tcp::endpoint& address, Failure failure) {
    const auto host = address.address().to_string();
    failure.detail = fmt::format("{}:{}: {}", host, address.port(), failure.detail);
    return failure;
}

} // namespace

std::unique_ptr<Connection> Worker::take_kept() {
    std::unique_ptr<Connection> found;
    switch (lane_.options().mode) {
    case ConnectionMode::shared:
        if (site_->free.empty()) return nullptr;
        found = std::move(site_->free.back());
        site_->free.pop_back();
        return found;
    case ConnectionMode::per_worker: {
        const auto kept = std::ranges::find(
            kept_, site_->target.get(), [](const auto& each) { return each->target(); });
        if (kept == kept_.end()) return nullptr;
        found = std::move(*kept);
        kept_.erase(kept);
        return found;
    }
    case ConnectionMode::none: return nullptr;
    }
    std::abort();
}

bool Worker::reuse() {
    done_.reused = done_.tls_resumed = false;
    if (fresh_) return false;
    const TimePoint now = done_.at.begin;
    while (auto kept = take_kept()) {
        const Duration resting = now - kept->resting_since();
        if (resting >= lane_.options().idle_max) continue;
        if ((resting > trusted_for || kept->has_stirred()) && kept->is_spoilt()) continue;
        // Nothing but this would tell that what is sent gets lost.
        if (done_.call.tcp && done_.call.tcp->behaviour == Behaviour::fire_and_forget &&
            !kept->discard_unread())
            continue;
        connection_ = std::move(kept);
        done_.reused = true;
        return true;
    }
    return false;
}

void Worker::release() {
    if (!connection_) return;
    auto connection = std::move(connection_);
    if (!keep_ || lane_.ending() || lane_.options().mode == ConnectionMode::none) return;
    connection->rest(done_.at.last_byte);
    if (lane_.options().mode == ConnectionMode::shared) {
        site_->free.push_back(std::move(connection));
        return;
    }
    if (kept_.size() == kept_max) kept_.erase(kept_.begin());
    kept_.push_back(std::move(connection));
}

void Worker::close_resting_since(TimePoint before) {
    std::erase_if(kept_, [&](const std::unique_ptr<Connection>& each) {
        return each->resting_since() <= before || each->is_spoilt();
    });
}

Async<void> Worker::open() {
    const TimePoint deadline = done_.at.begin + lane_.options().timeouts.connect;
    limit(deadline, ErrorClass::connect_timeout);
    if (!co_await find_addresses()) co_return;
    lane_.make_room_for_connection();
    if (!co_await connect()) co_return;
    limit(deadline, ErrorClass::connect_timeout);
    if (!co_await shake_hands()) {
        connection_.reset();
        co_return;
    }
    done_.at.connected = lane_.now();
    if (is_secure(site_->target->scheme())) done_.tls_resumed = connection_->stream().resumed();
}

Async<bool> Worker::find_addresses() {
    lane_.sites().look_up(*site_, done_.at.begin);
    while (site_->addresses.empty() && site_->resolving && !expired_) {
        site_->waiting.push_back(&timer_);
        co_await nap();
    }
    std::erase(site_->waiting, &timer_);
    if (!site_->addresses.empty()) co_return true;
    if (!expired_) {
        fail(site_->dns_failure);
    } else if (deadline_means_ == ErrorClass::cancelled) {
        fail({ErrorClass::cancelled, "the call was cancelled before its host was found"});
    } else {
        fail(
            {deadline_means_,
             fmt::format("the name {} was not resolved in time", site_->target->host())});
    }
    co_return false;
}

// Each address gets its share of the time, so that one that does not answer leaves some to the
// next.
Async<bool> Worker::connect() {
    const std::vector<Tcp::endpoint> addresses = site_->addresses; // may change while we wait
    const TimePoint deadline = deadline_;
    const ErrorClass meaning = deadline_means_;
    Failure last;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        const TimePoint now = lane_.now();
        const auto left = static_cast<Duration::rep>(addresses.size() - i);
        limit(left == 1 ? deadline : now + (deadline - now) / left, meaning);
        Socket socket{lane_.io()};
        connecting_ = &socket;
        auto [error] = co_await socket.async_connect(addresses[i], as_result);
        connecting_ = nullptr;
        if (!error) error = adopt(std::move(socket));
        if (!error) co_return true;
        last = expired_ ? Failure{deadline_means_, "no connection in time"}
                        : explain_system_error(error);
        last = at(addresses[i], std::move(last));
        if (cancelled_) break;
    }
    if (cancelled_) last = {ErrorClass::cancelled, "the call was cancelled while it connected"};
    fail(std::move(last));
    co_return false;
}

error_code Worker::adopt(Socket socket) {
    error_code ignored; // slower, but works
    socket.set_option(Tcp::no_delay{true}, ignored);
    const auto& target = site_->target;
    std::unique_ptr<Stream> stream;
    switch (target->scheme()) {
    case Scheme::http: {
        error_code error;
        const int released = socket.release(error);
        if (error) return error;
        auto direct = std::make_unique<DirectSocket>(released, lane_.ready_set());
        error = direct->open();
        if (error) return error;
        connection_ = std::make_unique<Connection>(std::move(direct), target, lane_.connections());
        return {};
    }
    case Scheme::https:
    case Scheme::tcps: stream = make_tls_stream(std::move(socket), *target, site_->session); break;
    case Scheme::tcp: stream = make_plain_stream(std::move(socket)); break;
    }
    connection_ = std::make_unique<Connection>(std::move(stream), target, lane_.connections());
    return {};
}

Async<bool> Worker::shake_hands() {
    if (!is_secure(site_->target->scheme())) co_return true;
    const error_code error = co_await connection_->stream().open();
    if (!error) co_return true;
    if (!expired_) {
        fail(connection_->explain(error));
        site_->session->reset(); // whatever it was, do not insist on it
    } else if (cancelled_) {
        fail({ErrorClass::cancelled, "the call was cancelled during the TLS handshake"});
    } else {
        fail({deadline_means_, "the TLS handshake was not over in time"});
    }
    co_return false;
}

} // namespace hive::call
