#pragma once

#include "kernel/json.hpp"
#include "tests/system/http_client.hpp"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace hive::test {

// A bee that works through any number of lives of its server: makes tasks, talks, takes the next
// tasks there are, and finishes them. A request whose answer it did not get it sends again to the
// next life, with the same Idempotency-Key.
class CrashBee {
public:
    CrashBee(int number, std::string key) : number_{number}, key_{std::move(key)} {}

    enum class Wish : std::uint8_t { work, finish }; // finish: makes nothing new
    // Until the connection is gone, or there is nothing left to do for one that finishes.
    void work(const std::string& address, Wish wish);

    // What the server has acknowledged since the last time it was asked.
    struct Acknowledged {
        std::vector<std::string> created;
        std::vector<std::string> completed;
        std::vector<std::string> said;
    };
    Acknowledged take_acknowledged() { return std::exchange(acknowledged_, {}); }

private:
    enum class Kind : std::uint8_t { create, say, claim, complete };
    struct Request {
        Kind kind;
        std::string path;
        json::object body;
        std::string once; // the Idempotency-Key
        std::string task{};
    };
    struct Held {
        std::string id;
        json::value token;
    };

    Request request(Kind kind, std::string path, json::object body);
    Request next(Wish wish);
    // Sends what is under way; false: the connection is gone, and nobody knows what became of it.
    bool exchange(Client& client);
    void settle(const Request& done, const Answer& answer);

    int number_;
    std::string key_;
    int serial_ = 0;
    bool idle_ = false; // there was nothing to take
    std::optional<Request> under_way_{};
    std::deque<Held> held_{};
    Acknowledged acknowledged_{};
};

} // namespace hive::test
