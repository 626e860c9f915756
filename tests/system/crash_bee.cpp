#include "tests/system/crash_bee.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace hive::test {

CrashBee::Request CrashBee::request(Kind kind, std::string path, json::object body) {
    return {kind, std::move(path), std::move(body), fmt::format("bee-{}-{}", number_, ++serial_)};
}

CrashBee::Request CrashBee::next(Wish wish) {
    if (!held_.empty()) {
        const Held held = held_.front();
        held_.pop_front();
        auto complete = request(
            Kind::complete, "/api/v1/tasks/" + held.id + "/complete", {{"token", held.token}});
        complete.task = held.id;
        return complete;
    }
    if (wish == Wish::work && serial_ % 3 == 0) {
        return request(
            Kind::create, "/api/v1/tasks", {{"title", "t"}, {"retry", {{"attempts", 100}}}});
    }
    if (wish == Wish::work && serial_ % 3 == 1) {
        return request(Kind::say, "/api/v1/channels/general/messages", {{"content", "hello"}});
    }
    return request(Kind::claim, "/api/v1/tasks/claim-next", {{"leaseFor", "1s"}, {"count", 2}});
}

void CrashBee::work(const std::string& address, Wish wish) {
    try {
        Client client = Client::tcp(address);
        for (;;) {
            if (!under_way_) under_way_ = next(wish);
            if (!exchange(client)) return;
            if (wish == Wish::finish && std::exchange(idle_, false)) return;
        }
    } catch (const std::runtime_error&) {
        return; // the connection is gone, as it should be
    }
}

bool CrashBee::exchange(Client& client) {
    const std::string text = to_text(under_way_->body);
    client.send(fmt::format(
        "POST {} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {}\r\nIdempotency-Key: \"{}\"\r\n"
        "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
        under_way_->path, key_, under_way_->once, text.size(), text));
    const auto answer = client.receive();
    if (!answer) return false;
    settle(*under_way_, *answer);
    under_way_.reset();
    return true;
}

void CrashBee::settle(const Request& done, const Answer& answer) {
    // A lease may lapse while the server is away: then the task is another's, and that is right.
    if (done.kind == Kind::complete && answer.status == 409) return;
    if (answer.status / 100 != 2) throw std::logic_error{done.path + ": " + answer.body};
    const auto told = parse_json(answer.body).value();
    const auto id = [](const json::value& thing) {
        return std::string{thing.at("id").as_string()};
    };
    switch (done.kind) {
    case Kind::create: acknowledged_.created.push_back(id(told)); break;
    case Kind::say: acknowledged_.said.push_back(id(told)); break;
    case Kind::complete: acknowledged_.completed.push_back(done.task); break;
    case Kind::claim:
        idle_ = told.at("items").as_array().empty();
        for (const auto& task : told.at("items").as_array()) {
            held_.push_back({id(task), task.at("lease").at("token")});
        }
        break;
    }
}

} // namespace hive::test
