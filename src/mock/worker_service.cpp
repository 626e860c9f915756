// What a worker does with the bytes of its clients: requests, their faults, delays and answers.
#include "mock/worker.hpp"

#include <fmt/format.h>

namespace hive::mock {
namespace {

constexpr std::string_view control_prefix = "/__mock/";

Job::Control control_of(std::string_view target) {
    target.remove_prefix(control_prefix.size());
    target = target.substr(0, target.find('?'));
    if (target == "stats") return Job::Control::stats;
    if (target == "reset") return Job::Control::reset;
    if (target == "arrivals") return Job::Control::arrivals;
    return Job::Control::unknown;
}

std::string lines_of(const std::vector<Duration>& arrivals) {
    std::string out;
    out.reserve(arrivals.size() * 12);
    for (const Duration at : arrivals) {
        out += std::to_string(at.count());
        out += '\n';
    }
    return out;
}

} // namespace

// What was not used is kept until more comes.
void Worker::keep_rest(Connection& connection, std::string_view bytes, std::size_t used) {
    if (!connection.socket.open() || connection.draining) return;
    connection.in.assign(bytes.substr(used));
}

void Worker::resume(Connection& connection) {
    if (connection.serving || connection.closing || connection.in.empty()) {
        // A client that stopped sending and has its answer is done.
        const bool done = connection.ended && !connection.serving && connection.out.empty();
        if (done) close(connection);
        return;
    }
    const std::string bytes = std::move(connection.in);
    connection.in.clear();
    keep_rest(connection, bytes, consume(connection, bytes));
    const bool waits = connection.serving || !connection.out.empty() || connection.draining;
    if (connection.ended && !waits) close(connection);
}

std::size_t Worker::consume(Connection& connection, std::string_view bytes) {
    std::size_t used = 0;
    while (used < bytes.size() && connection.socket.open() && !connection.serving &&
           !connection.closing && connection.out.empty()) {
        const std::string_view rest = bytes.substr(used);
        const std::size_t taken =
            connection.framing ? take_message(connection, rest) : take_request(connection, rest);
        if (taken == 0) break;
        used += taken;
    }
    return used;
}

std::size_t Worker::take_request(Connection& connection, std::string_view bytes) {
    if (connection.body_left > 0) {
        const auto taken = std::min<std::uint64_t>(connection.body_left, bytes.size());
        connection.body_left -= taken;
        if (connection.body_left == 0) arrive(connection);
        return static_cast<std::size_t>(taken);
    }
    const Scanned scanned = scan_request(bytes);
    if (scanned.state == Scanned::State::more) return 0;
    if (scanned.state == Scanned::State::bad) {
        refuse(connection, scanned);
        return bytes.size();
    }
    prepare(connection, scanned.head);
    connection.body_left = scanned.head.body;
    if (connection.body_left == 0) {
        arrive(connection);
    } else if (scanned.head.expects_continue && bytes.size() == scanned.head.size) {
        send(connection, "HTTP/1.1 100 Continue\r\n\r\n");
    }
    return scanned.head.size;
}

void Worker::prepare(Connection& connection, const RequestHead& head) {
    Job& job = connection.job;
    const bool control = head.target.starts_with(control_prefix);
    job.control = control ? control_of(head.target) : Job::Control::none;
    job.endpoint = &site_.endpoint(head.method, head.target);
    job.asked = {.keep_alive = head.keep_alive, .head_only = head.method == "HEAD"};
    if (site_.log() != nullptr) {
        job.method = head.method;
        job.target = head.target;
    }
}

std::size_t Worker::take_message(Connection& connection, std::string_view bytes) {
    const Frame frame = scan_frame(*connection.framing, bytes);
    if (frame.state == Frame::State::more) return 0;
    if (frame.state == Frame::State::bad) {
        recorder_.count(&Record::malformed);
        close(connection);
        return bytes.size();
    }
    Job& job = connection.job;
    job.control = Job::Control::none;
    job.endpoint = &site_.endpoint("TCP", "");
    job.asked = {};
    const auto& body = site_.settings().tcp_body;
    job.payload.clear();
    append_frame(*connection.framing, body ? std::string_view{*body} : frame.payload, job.payload);
    if (site_.log() != nullptr) {
        job.method = "TCP";
        job.target = frame.payload.substr(0, 256);
    }
    arrive(connection);
    return frame.size;
}

void Worker::refuse(Connection& connection, const Scanned& why) {
    recorder_.count(&Record::malformed);
    const Answer answer =
        make_answer(why.status, "text/plain", fmt::format("hive mock: {}\n", why.reason));
    send(connection, answer.end);
    if (!connection.socket.open()) return;
    connection.closing = true;
    connection.in.clear();
    if (connection.out.empty())
        drain(connection);
    else
        connection.body_left = 1; // so that it is drained once the answer is out
}

void Worker::arrive(Connection& connection) {
    Job& job = connection.job;
    if (job.control != Job::Control::none) return answer_control(connection);
    job.arrived = clock_.now();
    recorder_.arrived(site_.since_start(job.arrived));
    job.asked.fault = job.endpoint->draw(random_);
    const bool http_only = job.asked.fault == Fault::error || job.asked.fault == Fault::lie;
    if (connection.framing && http_only) job.asked.fault = Fault::none;
    const Duration delay = job.endpoint->delay(random_);
    connection.serving = true;
    const std::size_t capacity = site_.settings().capacity;
    if (capacity > 0 && in_service_ >= capacity) {
        waiting_.push_back({id_of(connection), delay});
        recorder_.queued(waiting_.size());
        return;
    }
    if (delay > Duration::zero() || site_.stalled_until(job.arrived))
        return begin(id_of(connection), delay);
    finish(connection);
}

void Worker::begin(std::uint64_t id, Duration delay) {
    ++in_service_;
    timers_.push({clock_.now() + delay, id, Timer::What::answer});
}

// A client that has gone leaves its work behind: it is done all the same, as a real server would.
void Worker::complete(std::uint64_t id) {
    --in_service_;
    while (!waiting_.empty() && in_service_ < site_.settings().capacity) {
        const Waiting next = waiting_.front();
        waiting_.pop_front();
        if (find(next.id) != nullptr) begin(next.id, next.delay);
    }
    Connection* connection = find(id);
    if (connection == nullptr) return;
    finish(*connection);
    if (connection->socket.open() && !connection->serving && !connection->draining)
        resume(*connection);
    if (connection->socket.open()) watch_for(*connection);
}

void Worker::finish(Connection& connection) {
    const Job& job = connection.job;
    const Fault fault = job.asked.fault;
    if (fault == Fault::silent) {
        note(connection, 0);
        return; // the client waits for ever
    }
    connection.serving = false;
    if (fault == Fault::reset) {
        note(connection, 0);
        connection.socket.reset_on_close();
        return close(connection);
    }
    const auto said = job.endpoint->say(job.asked, scratch_);
    const bool message = connection.framing.has_value();
    std::string_view bytes = message ? std::string_view{job.payload} : said.bytes;
    if (message && fault == Fault::truncate) bytes = bytes.substr(0, bytes.size() / 2);
    // Before the bytes leave: sending wakes the client, which may be faster than this thread, and
    // whoever has the answer finds it in the record.
    note(connection, message ? 0 : said.status);
    send(connection, bytes);
    if (said.closes && connection.socket.open()) end_after_answer(connection);
}

void Worker::note(const Connection& connection, int status) {
    const Job& job = connection.job;
    const Duration delay = clock_.now() - job.arrived;
    recorder_.answered(status, job.asked.fault, delay);
    if (RequestLog* log = site_.log()) {
        log->add(
            {.at = clock_.wall(),
             .method = job.method,
             .target = job.target,
             .status = status,
             .fault = name_of(job.asked.fault),
             .delay = delay});
    }
}

void Worker::answer_control(Connection& connection) {
    const Job& job = connection.job;
    Answer answer;
    switch (job.control) {
    case Job::Control::stats:
        answer = make_answer(200, "application/json", to_text(to_json(site_.record())) + '\n');
        break;
    case Job::Control::reset:
        site_.reset();
        answer = make_answer(204, "", "");
        break;
    case Job::Control::arrivals:
        answer = make_answer(200, "text/plain", lines_of(site_.record().arrivals));
        break;
    default:
        answer = make_answer(
            404, "text/plain",
            "hive mock: there are /__mock/stats, /__mock/arrivals and /__mock/reset\n");
    }
    send(connection, job.asked.keep_alive ? answer.keep : answer.end);
    if (!job.asked.keep_alive && connection.socket.open()) end_after_answer(connection);
}

} // namespace hive::mock
