#include "call/worker.hpp"

#include "call/lane_core.hpp"
#include "call/redirect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::call {
namespace {

ResponseReader::Limits limits_of(const Options& options) {
    return {options.head_bytes_max, options.body_bytes_max, options.kept_body_bytes};
}

std::string_view method_of(std::string_view request) {
    return request.substr(0, request.find(' '));
}

// Asking twice does no more than asking once, so a dead connection may be hidden from the caller.
bool is_idempotent(std::string_view method) {
    static constexpr std::array<std::string_view, 6> all{"GET",    "HEAD",    "PUT",
                                                         "DELETE", "OPTIONS", "TRACE"};
    return std::ranges::find(all, method) != all.end();
}

bool is_worth_a_retry(ErrorClass error) {
    switch (error) {
    case ErrorClass::dns:
    case ErrorClass::refused:
    case ErrorClass::unreachable:
    case ErrorClass::connect_timeout:
    case ErrorClass::reset:
    case ErrorClass::closed_early:
    case ErrorClass::first_byte_timeout:
    case ErrorClass::tls_handshake:
    case ErrorClass::network: return true;
    default: return false;
    }
}

} // namespace

Worker::Worker(LaneCore& lane)
    : lane_{lane}, timer_{lane.io(), Timer::time_point::max()}, reader_{limits_of(lane.options())} {
}

// Few coroutines inside each other: every one costs a call some tens of nanoseconds.
Async<void> Worker::run() {
    next_call();
    for (;;) {
        while (way_ != Way::awaited) {
            if (lane_.ending()) co_return;
            co_await nap();
        }
        if (!connection_) co_await open();
        if (connection_ && connection_->direct() != nullptr) {
            exchange_directly();
            continue;
        }
        if (connection_ && done_.call.tcp)
            co_await exchange_tcp();
        else if (connection_)
            co_await exchange_http();
        end_attempt();
    }
}

void Worker::next_call() {
    way_ = Way::none;
    while (lane_.take(done_)) {
        const TimePoint begin = begin_call();
        if (is_sendable()) {
            begin_attempt(begin);
            return;
        }
        end_call();
    }
    lane_.park(*this);
}

Async<void> Worker::nap() {
    co_await timer_.async_wait(as_result);
}

void Worker::wake() {
    if (lane_.ending())
        timer_.cancel();
    else
        next_call();
}

void Worker::sweep(TimePoint now) {
    if (now < deadline_) return;
    expired_ = true;
    if (way_ == Way::direct) {
        fail(asio::error::operation_aborted);
        end_directly();
        return;
    }
    // Repeated at the next sweep if the coroutine was not waiting just now.
    if (connecting_ != nullptr) {
        error_code ignored;
        connecting_->cancel(ignored);
    }
    if (connection_) connection_->cancel();
    timer_.cancel();
}

void Worker::cancel() {
    cancelled_ = true;
    limit(TimePoint::min(), ErrorClass::cancelled);
    sweep(TimePoint::max());
}

void Worker::limit(TimePoint until, ErrorClass error) {
    expired_ = false;
    if (cancelled_) {
        deadline_ = TimePoint::min();
        deadline_means_ = ErrorClass::cancelled;
    } else if (until < total_deadline_) {
        deadline_ = until;
        deadline_means_ = error;
    } else {
        deadline_ = total_deadline_;
        deadline_means_ = ErrorClass::total_timeout;
    }
}

TimePoint Worker::begin_call() {
    busy_ = true;
    cancelled_ = fresh_ = false;
    done_.at.taken = lane_.now();
    total_deadline_ = done_.at.taken + lane_.options().timeouts.total;
    return done_.at.taken;
}

void Worker::begin_attempt(TimePoint now) {
    site_ = &lane_.sites().of(done_.call.target);
    ++site_->users;
    done_.at = {.taken = done_.at.taken, .begin = now};
    clear_answer();
    received_before_ = done_.received_bytes;
    keep_ = stale_ = ended_ = false;
    if (reuse() && connection_->direct() != nullptr) {
        exchange_directly();
        return;
    }
    way_ = Way::awaited;
    timer_.cancel(); // wakes the coroutine, unless it is what has called
}

void Worker::end_attempt() {
    release();
    --site_->users;
    if (again()) {
        begin_attempt(lane_.now());
        return;
    }
    end_call();
    next_call();
}

void Worker::end_call() {
    busy_ = false;
    deadline_ = TimePoint::max();
    lane_.finish(done_);
}

void Worker::clear_answer() {
    done_.failure.error = ErrorClass::none;
    done_.failure.detail.clear();
    done_.status = 0;
    done_.headers.clear();
    done_.body.clear();
    done_.body_bytes = 0;
}

bool Worker::is_sendable() {
    const Call& call = done_.call;
    done_.attempts = 1;
    std::string_view why;
    if (!call.target)
        why = "it has no target";
    else if (call.request.empty())
        why = "there is nothing to send";
    else if (is_http(call.target->scheme()) == (call.tcp != nullptr))
        why = call.tcp ? "it has rules for TCP and an HTTP target" : "it needs rules for TCP";
    else if (call.tcp && call.tcp->frame.bytes_max == 0)
        why = "its answer may have no byte";
    if (why.empty()) return true;
    done_.at.begin = done_.at.taken;
    fail({ErrorClass::invalid_call, fmt::format("the call cannot be made: {}", why)});
    return false;
}

bool Worker::again() {
    if (cancelled_) return false;
    if (done_.ok()) return !done_.call.tcp && follow_redirect();
    if (lane_.now() >= total_deadline_) return false;
    if (done_.call.tcp) {
        if (done_.attempts > lane_.options().tcp_retries) return false;
        if (!is_worth_a_retry(done_.failure.error)) return false;
    } else {
        if (!stale_ || done_.stale_retries > 0) return false;
        if (!is_idempotent(method_of(done_.call.request))) return false;
    }
    if (stale_) ++done_.stale_retries;
    fresh_ = true;
    ++done_.attempts;
    return true;
}

bool Worker::follow_redirect() {
    const Options& options = lane_.options();
    if (options.redirects_max == 0 || !is_redirect(done_.status)) return false;
    const std::string_view location = done_.headers.find("Location");
    if (location.empty()) return false;
    if (done_.redirects >= options.redirects_max) {
        fail(
            {ErrorClass::too_many_redirects,
             fmt::format("more than {} redirects in a row", options.redirects_max)});
        return false;
    }
    auto next = follow(*done_.call.target, done_.call.request, done_.status, location);
    if (!next) {
        fail({ErrorClass::bad_redirect, next.error().detail});
        return false;
    }
    if (!next->same_origin) {
        auto target = lane_.sites().other(*done_.call.target, next->url);
        if (!target) {
            fail({ErrorClass::bad_redirect, target.error().detail});
            return false;
        }
        done_.call.target = std::move(*target);
    }
    done_.call.request = std::move(next->request);
    ++done_.redirects;
    fresh_ = false;
    return true;
}

void Worker::fail(Failure failure) {
    done_.at.last_byte = lane_.now();
    done_.failure = std::move(failure);
    keep_ = false;
}

void Worker::fail(const error_code& error) {
    if (!expired_) {
        fail(connection_->explain(error));
        const ErrorClass why = done_.failure.error;
        stale_ = done_.reused && done_.received_bytes == received_before_ &&
                 (why == ErrorClass::reset || why == ErrorClass::closed_early);
        return;
    }
    switch (deadline_means_) {
    case ErrorClass::first_byte_timeout:
        fail({ErrorClass::first_byte_timeout, "no byte of an answer came in time"});
        return;
    case ErrorClass::total_timeout:
        fail(
            {ErrorClass::total_timeout, fmt::format(
                                            "the call was not over in time; {} bytes had come",
                                            done_.received_bytes - received_before_)});
        return;
    default: fail({ErrorClass::cancelled, "the call was cancelled before it was over"});
    }
}

void Worker::succeed(TimePoint now) {
    done_.at.last_byte = now;
}

// Nearly every request goes at once and needs no coroutine for it.
bool Worker::sent_at_once() {
    const std::string& request = done_.call.request;
    const auto [error, count] = connection_->stream().try_write(asio::buffer(request));
    sent_ = count;
    done_.sent_bytes += count;
    if (!error || error == asio::error::would_block) return sent_ == request.size();
    fail(error);
    return true;
}

Async<void> Worker::send_rest() {
    const std::string& request = done_.call.request;
    while (sent_ < request.size()) {
        const asio::const_buffer rest = asio::buffer(request) + sent_;
        const auto [error, count] = co_await connection_->stream().write_some(rest);
        sent_ += count;
        done_.sent_bytes += count;
        if (error) {
            fail(error);
            co_return;
        }
    }
}

bool Worker::received(const error_code& error, std::size_t count) {
    if (!error) {
        connection_->received(count);
        done_.received_bytes += count;
        return true;
    }
    // Silence that was agreed to be the end.
    const bool silent = expired_ && deadline_means_ == ErrorClass::none;
    ended_ = silent || error == asio::error::eof;
    if (!ended_) fail(error);
    return ended_;
}

} // namespace hive::call
