#include "tests/system/swarm_rest_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <thread>

namespace hive::tests {

using namespace std::chrono_literals;

std::string Reply::member(std::string_view name) const {
    const json::object all = body();
    const auto* found = all.if_contains(name);
    return found != nullptr && found->is_string() ? std::string{found->get_string()}
                                                  : std::string{};
}

Reply RestHive::send(Ask ask) {
    const bool whole = ask.path.starts_with("/api") || ask.path == "/metrics";
    web::Request request{
        .method = std::move(ask.method),
        .url = hive.url + (whole ? "" : "/api/v1") + ask.path,
        .headers = std::move(ask.headers),
        .within = 60s,
        .answer_bytes_max = std::size_t{16} << 20U};
    if (ask.key != "-") {
        const std::string& key = ask.key.empty() ? hive.key : ask.key;
        request.headers.push_back({"Authorization", "Bearer " + key});
    }
    if (!ask.body.empty()) request.headers.push_back({"Content-Type", "application/json"});
    request.body = std::move(ask.body);
    auto answer = web::send_and_wait(*web_, std::move(request));
    REQUIRE_MESSAGE(answer, (answer ? "" : answer.error().detail));
    Reply reply{.status = answer->status, .text = std::move(answer->body)};
    for (auto& field : answer->headers) reply.headers[field.name] = field.value;
    return reply;
}

Reply RestHive::post(const std::string& path, std::string body, std::vector<web::Field> more) {
    return send(
        {.method = "POST", .path = path, .body = std::move(body), .headers = std::move(more)});
}

void RestHive::create(const std::string& id, const std::string& text, bool start) {
    const auto made = post("/swarms?wait=30s", create_body(id, text, start));
    REQUIRE_MESSAGE(made.status == 200, made.text);
    REQUIRE_MESSAGE(made.body().at("succeeded").as_bool(), made.text);
}

bool RestHive::eventually(const std::function<bool()>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    while (!holds()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(20ms);
    }
    return true;
}

std::string RestHive::key_for(const std::string& role, std::vector<std::string> more) {
    std::vector<std::string> args{"key", "create", "--role", role, "--owner", role + "-owner"};
    args.insert(args.end(), more.begin(), more.end());
    const auto made = hive.run(std::move(args));
    REQUIRE_MESSAGE(made.exit_code == 0, made.err);
    return made.out.substr(0, made.out.find('\n'));
}

std::string create_body(const std::string& id, const std::string& text, bool start) {
    return fmt::format(R"({{"id":"{}","template":{},"autoStart":{}}})", id, text, start);
}

} // namespace hive::tests
