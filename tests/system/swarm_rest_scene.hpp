#pragma once

#include "kernel/json.hpp"
#include "tests/system/cli_hive.hpp"
#include "web/curl/curl_client.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hive::tests {

struct Reply {
    unsigned status = 0;
    std::map<std::string, std::string> headers{}; // names in lower case
    std::string text{};

    json::object body() const { return object_in(text); } // fails the test when it is no object
    json::array items() const { return body().at("items").as_array(); }
    std::string member(std::string_view name) const; // empty when there is none
};

struct Ask {
    std::string method = "GET";
    std::string path; // after /api/v1, unless it begins with /api or is /metrics
    std::string body{};
    std::vector<web::Field> headers{};
    std::string key{}; // empty: that of the administrator; "-": none
};

// `hive up` with swarms in its own process, and HTTP.
class RestHive {
public:
    explicit RestHive(std::vector<std::string> more = {}) : hive{std::move(more)} {}

    Reply send(Ask ask);
    Reply get(const std::string& path) { return send({.path = path}); }
    Reply post(const std::string& path, std::string body = {}, std::vector<web::Field> more = {});
    Reply remove(const std::string& path) { return send({.method = "DELETE", .path = path}); }

    // Creates it and waits until it is ready, or runs.
    void create(const std::string& id, const std::string& text, bool start = false);
    json::object swarm(const std::string& id) { return get("/swarms/" + id).body(); }
    bool eventually(const std::function<bool()>& holds);
    std::string key_for(const std::string& role, std::vector<std::string> more = {});

    RunningHive hive;

private:
    std::unique_ptr<web::curl::CurlClient> web_ = web::curl::CurlClient::open({}).value();
};

// a -> q2 -> b: nothing comes in by itself.
inline const std::string quiet_template = R"({"bees":[
    {"id":"a","role":"echo","work":{"in":{"in":"q1"},"out":{"out":"q2"}}},
    {"id":"b","role":"echo","work":{"in":{"in":"q2"},"out":{"out":"q3"}}}]})";

// gen -> raw -> fwd -> done: a few hundred items a second.
inline const std::string busy_template = R"({"bees":[
    {"id":"gen","role":"echo","work":{"out":{"out":"raw"}},
     "config":{"inputs":{"scheduler":{"ratePerSec":200}},"text":"tick"}},
    {"id":"fwd","role":"echo","replicas":2,"work":{"in":{"in":"raw"},"out":{"out":"done"}}}]})";

std::string create_body(const std::string& id, const std::string& text, bool start = false);

} // namespace hive::tests
