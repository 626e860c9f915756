#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::web {

struct Field {
    std::string name;
    std::string value;
};

struct Request {
    std::string method = "GET";
    std::string url; // http or https
    std::vector<Field> headers{};
    std::string body{};
    Duration within = std::chrono::seconds{15};
    std::size_t answer_bytes_max = std::size_t{1} << 20U;
    // For answers of any length: takes the body of a 2xx answer piece by piece on a thread of the
    // client, and Answer::body stays empty. False ends the request with Errc::closed.
    std::function<bool(std::string_view)> sink{};
};

struct Answer {
    unsigned status = 0;
    std::vector<Field> headers{}; // names in lower case
    std::string body{};
};

// Asks other servers. Redirects are not followed: where a secret goes is decided by whoever sends
// it. Errc::unavailable when there was no answer, with the reason in plain words;
// Errc::timeout; Errc::limit when the answer is too long or too many requests wait; Errc::invalid
// for a request that cannot be sent; Errc::denied for an address this client must not reach;
// Errc::closed. Any status is an answer.
class Client {
public:
    virtual ~Client() = default;
    // `done` is called exactly once, on a thread of the client, or by send() itself when it refuses
    // the request; must neither block nor throw.
    virtual void send(Request request, std::function<void(Result<Answer>)> done) = 0;
};

// Blocks until there is an answer: for command lines and tests.
Result<Answer> send_and_wait(Client& client, Request request);

} // namespace hive::web
