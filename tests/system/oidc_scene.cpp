#include "tests/system/oidc_scene.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace hive::test {

SignInUnderTest::SignInUnderTest(rest::OidcConfig config) {
    auto client = web::curl::CurlClient::open({});
    if (!client) throw std::runtime_error{client.error().detail};
    web = std::move(*client);
    rest::OidcParts parts{
        .web = *web,
        .clock = clock,
        .on_signed_in =
            [this](api::Call call, rest::SignedIn who) { return welcome(call, std::move(who)); },
        .on_failed =
            [this](api::Call call, rest::SignInFailure why) {
                return remember(call, std::move(why));
            },
        .admit = [this](const api::Call&) { return closed_door; }};
    auto sign_in = std::make_shared<rest::OidcSignIn>(std::move(config), std::move(parts));
    auto table = api::compile_api(
        {.routes = rest::sign_in_routes(sign_in), .info = {"Test hive", "1.0.0"}},
        {health_, metrics_, openapi_});
    if (!table) throw std::runtime_error{table.error().detail};
    api_ = std::make_unique<api::Api>(std::move(*table), api::ApiParts{});
    auto started =
        http::Server::start({.listen = {{.address = "127.0.0.1:0"}}, .threads = 2}, *api_);
    if (!started) throw std::runtime_error{started.error().detail};
    server_ = std::move(*started);
}

SignInUnderTest::~SignInUnderTest() {
    server_->shut_down(Duration::zero());
    web->close(Duration::zero());
}

http::asio::awaitable<http::Response> SignInUnderTest::welcome(api::Call, rest::SignedIn who) {
    http::Response response{.status = 302};
    response.headers.add("Location", who.return_to);
    response.headers.add("Set-Cookie", "hive_session=word; Path=/");
    const std::lock_guard lock{mutex_};
    signed_in_.push_back(std::move(who));
    co_return response;
}

http::asio::awaitable<void> SignInUnderTest::remember(api::Call, rest::SignInFailure failure) {
    const std::lock_guard lock{mutex_};
    failures_.push_back(std::move(failure.reason));
    co_return;
}

std::vector<rest::SignedIn> SignInUnderTest::signed_in() const {
    const std::lock_guard lock{mutex_};
    return signed_in_;
}

std::vector<std::string> SignInUnderTest::failures() const {
    const std::lock_guard lock{mutex_};
    return failures_;
}

std::string verdict(const web::Answer& answer) {
    const auto document = parse_json(answer.body);
    if (!document || !document->is_object())
        return fmt::format("{} {}", answer.status, answer.body);
    return fmt::format("{} {}", answer.status, document->at("code").as_string().c_str());
}

std::string detail(const web::Answer& answer) {
    return std::string{parse_json(answer.body).value().at("detail").as_string()};
}

} // namespace hive::test
