#include "tests/system/webhooks_scene.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>

namespace hive::test {

using namespace std::chrono_literals;

bool eventually(const std::function<bool()>& true_now) {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < deadline) {
        if (true_now()) return true;
        std::this_thread::sleep_for(20ms);
    }
    return false;
}

std::string Received::type() const {
    const auto parsed = parse_json(body);
    const auto* type =
        parsed && parsed->is_object() ? parsed->as_object().if_contains("type") : nullptr;
    return type == nullptr ? std::string{} : std::string{type->as_string()};
}

Receiver::Receiver(Manners manners) : manners_{std::move(manners)} {
    server_ = std::make_unique<WebServer>([this](const http::Request& request) {
        Received one;
        one.body = request.body;
        for (const auto& [name, value] : request.headers) {
            std::string lower{name};
            for (char& c : lower) {
                if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
            }
            one.headers[lower] = std::string{value};
        }
        one.id = one.headers["webhook-id"];
        const std::lock_guard lock{mutex_};
        received_.push_back(one);
        return manners_(one);
    });
}

Receiver::Manners Receiver::answering(unsigned status, std::string body) {
    return [status, body](const Received&) { return text_answer(body, status); };
}

void Receiver::behave(Manners manners) {
    const std::lock_guard lock{mutex_};
    manners_ = std::move(manners);
}

std::vector<Received> Receiver::received() const {
    const std::lock_guard lock{mutex_};
    return received_;
}

std::vector<Received> Receiver::received(std::string_view type) const {
    std::vector<Received> found;
    for (auto& one : received()) {
        if (one.type() == type) found.push_back(std::move(one));
    }
    return found;
}

std::vector<Received> Receiver::await(std::string_view type, std::size_t count) const {
    const bool came = eventually([&] { return received(type).size() >= count; });
    REQUIRE_MESSAGE(came, type, " came ", received(type).size(), " times");
    return received(type);
}

colony::webhooks::Policy WebhooksUnderTest::hasty() {
    colony::webhooks::Policy policy;
    policy.retries.assign(60, 100ms);
    policy.attempt_within = 20s;
    return policy;
}

WebhooksUnderTest::WebhooksUnderTest(Setting setting) : setting_{std::move(setting)} {
    rest::ColonyPolicy policy;
    policy.quota.per_minute = 100'000;
    colony_ = std::make_unique<ColonyUnderTest>(policy, [this](rest::HiveParts& parts) {
        web_ = web::curl::CurlClient::open(
                   {.public_only = true, .allowed = setting_.allow, .under_way = 256})
                   .value();
        rest::offer_webhooks({outbox_, *web_, setting_.policy}, parts);
        parts.closing.emplace_back([this] { web_->close(Duration::zero()); });
    });
}

WebhooksUnderTest::~WebhooksUnderTest() = default;

void WebhooksUnderTest::restart() {
    colony_->hive().restart();
}

json::value WebhooksUnderTest::create(const std::string& url, json::object more) {
    more["url"] = url;
    if (!more.contains("events")) more["events"] = json::array{"*"};
    return admin().post("/api/v1/webhooks", more, 201);
}

std::string path_of(const json::value& webhook, std::string_view rest) {
    return fmt::format("/api/v1/webhooks/{}{}", text_at(webhook, "/id"), rest);
}

json::value WebhooksUnderTest::show(const json::value& webhook) {
    return admin().get(path_of(webhook));
}

json::array WebhooksUnderTest::deliveries(const json::value& webhook, const std::string& query) {
    return admin().get(path_of(webhook, "/deliveries" + query)).at("items").as_array();
}

json::value WebhooksUnderTest::await(
    const json::value& webhook, const std::string& event, std::string_view state) {
    json::value last;
    const bool came = eventually([&] {
        const auto found = deliveries(webhook, "?event=" + event);
        if (found.empty()) return false;
        last = found.back();
        return text_at(last, "/state") == state;
    });
    REQUIRE_MESSAGE(came, event, " is not ", state, ": ", to_text(last));
    return last;
}

} // namespace hive::test
