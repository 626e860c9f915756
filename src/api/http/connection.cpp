#include "api/http/connection.hpp"

#include <array>
#include <cassert>
#include <cstring>
#include <exception>

namespace hive::http {
namespace {

constexpr std::size_t read_bytes = 4U << 10U;       // an idle connection's share of memory
constexpr std::size_t body_read_bytes = 64U << 10U; // while a body arrives
constexpr std::size_t copied_body_max = 16U << 10U; // larger ones are sent from where they are
constexpr std::size_t pipelined_bytes = 64U << 10U; // of answers gathered for one write
constexpr std::size_t lingering_bytes = 1U << 20U;  // read and dropped after a refusal

SteadyTime from_now(Duration limit) {
    return std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit);
}

asio::awaitable<IoCount> ready(IoCount result) {
    co_return result;
}

} // namespace

Connection::Connection(Host& host, Parts parts)
    : host_{host}, conn_{std::move(parts.conn)}, peer_{std::move(parts.peer)},
      ticket_{std::move(parts.ticket)}, reader_{host.limits} {
    Traffic::add(host_.traffic.accepted);
    Traffic::add(host_.traffic.open);
    reader_.request().peer = &peer_;
}

Connection::~Connection() {
    host_.traffic.open.fetch_sub(1, std::memory_order_relaxed);
}

asio::awaitable<void> Connection::run() {
    const auto alive = shared_from_this();
    if (co_await shake_hands()) {
        co_await serve();
        if (lingers_) co_await linger();
    }
    conn_->close();
}

asio::awaitable<bool> Connection::shake_hands() {
    if (!peer_.secure) co_return true;
    if (host_.handshakes.fetch_add(1, std::memory_order_relaxed) >= host_.limits.handshakes) {
        host_.handshakes.fetch_sub(1, std::memory_order_relaxed);
        Traffic::add(host_.traffic.refused_connections);
        co_return false;
    }
    read_deadline_ = from_now(host_.limits.handshake_timeout);
    const error_code failed = co_await conn_->open();
    host_.handshakes.fetch_sub(1, std::memory_order_relaxed);
    if (failed) Traffic::add(host_.traffic.failed_handshakes);
    co_return !failed;
}

asio::awaitable<void> Connection::serve() {
    while (!done_) {
        feed();
        switch (reader_.progress()) {
        case Progress::head:
        case Progress::body:
            if (!sent_at_once()) co_await flush({});
            if (!done_) co_await fill();
            break;
        case Progress::whole: co_await respond(); break;
        case Progress::refused: co_await refuse(reader_.refusal()); break;
        }
    }
}

void Connection::feed() {
    while (begin_ < end_) {
        const Progress progress = reader_.progress();
        if (progress != Progress::head && progress != Progress::body) return;
        const std::size_t used = reader_.feed({in_.data() + begin_, end_ - begin_});
        begin_ += used;
        if (reader_.progress() == Progress::body && !body_begun_) begin_body();
        if (used == 0) return;
    }
}

void Connection::begin_body() {
    body_begun_ = true;
    reader_.allow_body(host_.application.body_limit(reader_.request()));
    if (reader_.progress() != Progress::body) return;
    read_deadline_ = from_now(host_.limits.body_timeout);
    // A client that has started to send the body does not wait for our word.
    if (reader_.expects_continue() && begin_ == end_) out_ += "HTTP/1.1 100 Continue\r\n\r\n";
}

void Connection::arm_reading() {
    idle_ = reader_.progress() == Progress::head && begin_ == end_;
    expired_ = false;
    if (idle_) {
        const bool first = requests_ == 0;
        read_deadline_ = from_now(first ? host_.limits.head_timeout : host_.limits.idle_timeout);
        head_timed_ = first;
    } else if (reader_.progress() == Progress::head && !head_timed_) {
        // From the first byte to the last: a byte now and then does not buy more time.
        head_timed_ = true;
        read_deadline_ = from_now(host_.limits.head_timeout);
    }
}

asio::mutable_buffer Connection::room() {
    if (begin_ == end_) begin_ = end_ = 0;
    const std::size_t wanted = reader_.progress() == Progress::body ? body_read_bytes : read_bytes;
    if (begin_ == 0 && end_ == 0 && in_.size() != wanted) in_ = std::vector<char>(wanted);
    if (end_ == in_.size() && begin_ > 0) {
        std::memmove(in_.data(), in_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    // The reader refuses a head or chunk header that does not end, so this growth has a bound.
    if (end_ == in_.size()) in_.resize(in_.size() + wanted);
    return asio::buffer(in_.data() + end_, in_.size() - end_);
}

asio::awaitable<void> Connection::fill() {
    arm_reading();
    if (idle_ && host_.stopping) {
        done_ = true;
        co_return;
    }
    const auto [error, count] = co_await conn_->read_some(room());
    const bool was_idle = std::exchange(idle_, false);
    if (error) {
        if (expired_ && !was_idle) {
            const bool head = reader_.progress() == Progress::head;
            co_await refuse(Refusal{
                408, head ? "head-timeout" : "body-timeout",
                head ? "the head of the request took too long to arrive"
                     : "the body of the request took too long to arrive"});
        } else {
            // End of stream, reset, idle for too long, stopping: nobody waits for an answer.
            done_ = true;
        }
        co_return;
    }
    end_ += count;
    Traffic::add(host_.traffic.bytes_received, count);
    if (was_idle && requests_ > 0) head_timed_ = false;
}

asio::awaitable<void> Connection::respond() {
    const Request& request = reader_.request();
    read_deadline_ = SteadyTime::max();
    Response response;
    try {
        auto answer = host_.application.answer(request);
        if (auto* ready = std::get_if<Response>(&answer)) {
            response = std::move(*ready);
        } else {
            // Earlier answers do not wait for this one.
            if (!sent_at_once()) co_await flush({});
            response = co_await std::move(std::get<asio::awaitable<Response>>(answer));
        }
    } catch (const std::exception& outage) {
        response = host_.application.refuse(Refusal{500, "internal-error", outage.what()}, peer_);
    }
    const bool keep = request.keep_alive && !response.close && !response.takeover &&
                      !host_.stopping && ++requests_ < host_.limits.requests_per_connection;
    const std::string_view body = enqueue(response, keep);
    if (response.takeover) {
        co_await hand_over(std::move(response));
        co_return;
    }
    if (!keep || !body.empty() || out_.size() > pipelined_bytes) co_await flush(body);
    if (!keep) done_ = lingers_ = true;
    reader_.next();
    body_begun_ = head_timed_ = false;
}

std::string_view Connection::enqueue(const Response& response, bool keep_alive) {
    const Request& request = reader_.request();
    const bool head_only = request.method == Method::head;
    append_head(
        out_, response,
        Framing{.date = host_.date, .keep_alive = keep_alive, .http10 = request.version < 11});
    const std::string_view body = view_of(response.body);
    if (head_only || response.status == 304 || response.status == 204) return {};
    if (body.size() > copied_body_max) return body;
    out_ += body;
    return {};
}

asio::awaitable<void> Connection::refuse(Refusal refusal) {
    Traffic::add(host_.traffic.refused_requests);
    read_deadline_ = SteadyTime::max();
    const Response response = host_.application.refuse(refusal, peer_);
    co_await flush(enqueue(response, false));
    done_ = lingers_ = true;
}

asio::awaitable<void> Connection::hand_over(Response response) {
    co_await flush({});
    if (done_) co_return;
    co_await response.takeover(this);
    on_stop_ = nullptr;
    done_ = true;
    lingers_ = true;
}

// Most answers fit into the socket's buffer, and need no coroutine to get there.
bool Connection::sent_at_once() {
    if (out_.empty()) return true;
    const asio::const_buffer all = asio::buffer(out_);
    const auto [error, count] = try_write({&all, 1});
    if (error && error != asio::error::would_block) {
        done_ = true;
    } else if (count < out_.size()) {
        out_.erase(0, count);
        return false;
    }
    out_.clear();
    return true;
}

asio::awaitable<void> Connection::flush(std::string_view body) {
    const std::array<asio::const_buffer, 2> all{asio::buffer(out_), asio::buffer(body)};
    const error_code failed = co_await write(Buffers{all.data(), body.empty() ? 1U : 2U});
    if (failed) done_ = true;
    out_.clear();
    if (out_.capacity() > copied_body_max) out_.shrink_to_fit();
}

asio::awaitable<void> Connection::linger() {
    conn_->end_writing();
    read_deadline_ = from_now(host_.limits.linger_timeout);
    begin_ = end_ = 0;
    in_.resize(read_bytes);
    for (std::size_t dropped = 0; dropped < lingering_bytes;) {
        const auto [error, count] = co_await conn_->read_some(asio::buffer(in_));
        if (error) break;
        dropped += count;
    }
}

void Connection::sweep(SteadyTime now) {
    if (now < read_deadline_ && now < write_deadline_) return;
    // Repeated at the next sweep if the coroutine was not waiting just now.
    if (!std::exchange(expired_, true)) Traffic::add(host_.traffic.timed_out);
    conn_->cancel();
}

void Connection::stop() {
    if (on_stop_) {
        on_stop_();
    } else if (idle_) {
        conn_->cancel();
    }
}

void Connection::abort() noexcept {
    // Closed at once: a handler that never answers must not keep the peer waiting.
    done_ = true;
    conn_->close();
}

asio::awaitable<IoCount> Connection::read_some(asio::mutable_buffer into) {
    if (done_) return ready({asio::error::operation_aborted, 0});
    if (begin_ == end_) {
        in_ = {}; // the new owner brings its own buffer
        begin_ = end_ = 0;
        return conn_->read_some(into);
    }
    const std::size_t count = std::min(into.size(), end_ - begin_);
    std::memcpy(into.data(), in_.data() + begin_, count);
    begin_ += count;
    return ready({error_code{}, count});
}

IoCount Connection::try_write(Buffers from) {
    const auto [error, count] = conn_->try_write(from);
    Traffic::add(host_.traffic.bytes_sent, count);
    return {error, count};
}

asio::awaitable<error_code> Connection::write(Buffers from) {
    std::array<asio::const_buffer, 64> rest{};
    assert(from.size() <= rest.size());
    std::size_t left = 0;
    for (const asio::const_buffer& buffer : from) rest[left++] = buffer;
    std::size_t first = 0;
    auto [error, count] = try_write(from);
    if (error == asio::error::would_block) error = {};
    while (!error) {
        while (first < left && count >= rest[first].size()) count -= rest[first++].size();
        if (first == left) break;
        rest[first] += count;
        if (write_deadline_ == SteadyTime::max()) {
            write_deadline_ = from_now(host_.limits.write_timeout);
        }
        std::tie(error, count) = co_await conn_->write_some(Buffers{&rest[first], left - first});
        // A read that ran out of time cancels both directions; this one still has some.
        const bool bystander = error == asio::error::operation_aborted && !done_ &&
                               std::chrono::steady_clock::now() < write_deadline_;
        if (bystander) error = {};
        if (count > 0) write_deadline_ = SteadyTime::max();
        Traffic::add(host_.traffic.bytes_sent, count);
    }
    write_deadline_ = SteadyTime::max();
    co_return error;
}

void Connection::read_within(Duration limit) {
    read_deadline_ = limit == Duration::zero() ? SteadyTime::max() : from_now(limit);
    expired_ = false;
}

void Connection::on_stop(std::function<void()> stopping) {
    on_stop_ = std::move(stopping);
    if (host_.stopping && on_stop_) on_stop_();
}

} // namespace hive::http
