#include "tests/system/webhooks_scene.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include <atomic>
#include <set>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

namespace asio = boost::asio;

// Answers with bytes that are not HTTP.
class GarbageServer {
public:
    std::string url() const {
        return fmt::format("http://127.0.0.1:{}/", acceptor_.local_endpoint().port());
    }
    int visits() const { return visits_; }

    ~GarbageServer() {
        stopping_ = true;
        asio::ip::tcp::socket last{io_};
        boost::system::error_code ignored;
        last.connect(acceptor_.local_endpoint(), ignored); // ends accept()
        thread_.join();
    }

private:
    void run() {
        while (!stopping_) {
            asio::ip::tcp::socket visitor{io_};
            boost::system::error_code error;
            acceptor_.accept(visitor, error);
            ++visits_;
            asio::write(
                visitor, asio::buffer(std::string_view{"\x01\xff\x00garbage\n\n", 11}), error);
        }
    }

    asio::io_context io_;
    asio::ip::tcp::acceptor acceptor_{io_, {asio::ip::make_address("127.0.0.1"), 0}};
    std::atomic<bool> stopping_ = false;
    std::atomic<int> visits_ = 0;
    std::thread thread_{[this] { run(); }};
};

std::size_t distinct_ids(const std::vector<Received>& received) {
    std::set<std::string> ids;
    for (const auto& one : received) ids.insert(one.id);
    return ids.size();
}

} // namespace

TEST_CASE("a receiver that fails gets the same delivery again until it recovers") {
    Receiver receiver{Receiver::answering(503, "busy\x01")};
    WebhooksUnderTest hive;
    const auto webhook = hive.create(receiver.url(), {{"events", {"task.created"}}});
    hive.colony().make_task({});
    const auto tries = receiver.await("task.created", 3);
    CHECK(distinct_ids(tries) == 1);
    CHECK(hive.show(webhook).as_object().contains("failingSince"));
    receiver.behave(Receiver::answering(200, "thanks"));
    const auto delivered = hive.await(webhook, "task.created", "delivered");
    CHECK(text_at(delivered, "/log/0/answer") == "busy\\x01");
    CHECK(
        text_at(
            delivered, fmt::format("/log/{}/answer", delivered.at("log").as_array().size() - 1)) ==
        "thanks");
    CHECK_FALSE(hive.show(webhook).as_object().contains("failingSince"));
}

TEST_CASE(
    "redirects, garbage, too long an answer and silence are failures that say what they were") {
    WebhooksUnderTest::Setting setting;
    setting.policy.attempt_within = 500ms;
    setting.policy.retries = {1h};
    WebhooksUnderTest hive{setting};
    Receiver elsewhere;
    Receiver redirecting{[&](const Received&) {
        auto answer = text_answer("", 307);
        answer.headers.add("Location", elsewhere.url());
        return answer;
    }};
    Receiver endless{Receiver::answering(200, std::string(2'000'000, 'x'))};
    Gate gate;
    Receiver silent{[&](const Received&) { return gate.wait(); }};
    GarbageServer garbage;
    const auto answer_of = [&](const std::string& url) {
        const auto webhook = hive.create(url, {{"events", {"cost.none"}}});
        hive.colony().hive().send("POST", path_of(webhook, "/test"), hive.admin().headers);
        json::value delivery;
        REQUIRE(eventually([&] {
            delivery = hive.deliveries(webhook).at(0);
            return delivery.at("attempts") == 1;
        }));
        CHECK(text_at(delivery, "/state") == "pending");
        return delivery.at("log").at(0).as_object();
    };
    CHECK(answer_of(redirecting.url()).at("status") == 307);
    CHECK(elsewhere.received().empty());
    const auto too_long = answer_of(endless.url());
    CHECK(too_long.at("answer").as_string().find("longer than") != std::string::npos);
    CHECK_FALSE(answer_of(garbage.url()).contains("status"));
    CHECK(garbage.visits() > 0);
    const auto late = answer_of(silent.url());
    CHECK_FALSE(late.contains("status"));
    CHECK(late.at("tookMs").as_int64() >= 400);
    gate.open();
}

TEST_CASE("a receiver that hangs holds up nobody else, and not more than its share") {
    WebhooksUnderTest hive;
    Gate gate;
    Receiver hanging{[&](const Received&) { return gate.wait(); }};
    Receiver fine;
    hive.create(hanging.url(), {{"events", {"task.created"}}});
    hive.create(fine.url(), {{"events", {"task.created"}}});
    for (int i = 0; i < 30; ++i) hive.colony().make_task({});
    fine.await("task.created", 30);
    gate.wait_for(1);
    CHECK(hanging.received().size() == 4); // Policy::under_way_max
    hanging.behave(Receiver::answering(204));
    gate.open();
    CHECK(distinct_ids(hanging.await("task.created", 30)) == 30);
}

TEST_CASE("410 disables a webhook at once, days of failures do, and both say so") {
    WebhooksUnderTest::Setting setting;
    setting.policy.disable_after = 300ms;
    WebhooksUnderTest hive{setting};
    Receiver alerts;
    hive.create(alerts.url(), {{"events", {"webhook.disabled"}}});
    Receiver gone{Receiver::answering(410)};
    const auto first = hive.create(gone.url(), {{"events", {"task.created"}}});
    hive.colony().make_task({});
    REQUIRE(eventually([&] { return hive.show(first).at("enabled") == false; }));
    CHECK(text_at(hive.show(first), "/disabledBecause") == "gone");
    CHECK(
        text_at(parsed(alerts.await("webhook.disabled").front().body), "/data/because") == "gone");

    Receiver failing{Receiver::answering(500)};
    const auto second = hive.create(failing.url(), {{"events", {"task.created"}}});
    hive.colony().make_task({});
    REQUIRE(eventually([&] { return hive.show(second).at("enabled") == false; }));
    CHECK(text_at(hive.show(second), "/disabledBecause") == "failing");
    CHECK(hive.colony().hive().await_audit("webhook.disabled").entity_id == text_at(first, "/id"));
    alerts.await("webhook.disabled", 2);
    // What it had not got waits for it.
    failing.behave(Receiver::answering(204));
    const std::size_t before = failing.received().size();
    CHECK(
        hive.admin().send("PATCH", path_of(second), json::object{{"enabled", true}}).status == 200);
    hive.await(second, "task.created", "delivered");
    CHECK(failing.received().size() == before + 1);
    hive.colony().make_task({});
    CHECK(gone.received().size() == 1); // nothing for a disabled one
}

TEST_CASE("one delivery or all since a time are replayed under their old ids") {
    WebhooksUnderTest::Setting setting;
    setting.policy.retries = {1ms};
    WebhooksUnderTest hive{setting};
    Receiver receiver{Receiver::answering(500)};
    const auto webhook = hive.create(receiver.url(), {{"events", {"task.created"}}});
    for (int i = 0; i < 3; ++i) {
        hive.colony().make_task({});
        std::this_thread::sleep_for(2ms); // times are told in milliseconds: no two are the same
    }
    REQUIRE(eventually([&] { return hive.deliveries(webhook, "?state=failed").size() == 3; }));
    receiver.behave(Receiver::answering(204));
    const auto one = hive.deliveries(webhook).front();
    const std::string path =
        path_of(webhook, fmt::format("/deliveries/{}/replay", text_at(one, "/id")));
    CHECK(hive.colony().hive().send("POST", path, hive.admin().headers).status == 202);
    REQUIRE(eventually([&] { return hive.deliveries(webhook, "?state=delivered").size() == 1; }));
    const json::object since{{"since", one.at("createdAt")}};
    const auto ask = [&](const json::object& body) {
        return hive.admin()
            .post(path_of(webhook, "/replay"), body, 202)
            .at("replayed")
            .to_number<int>();
    };
    CHECK(ask(since) == 0); // the newest is the one that has arrived
    CHECK(ask({{"since", "2000-01-01T00:00:00Z"}}) == 2);
    REQUIRE(eventually([&] { return hive.deliveries(webhook, "?state=delivered").size() == 3; }));
    CHECK(ask({{"since", "2000-01-01T00:00:00Z"}, {"which", "all"}}) == 3);
    receiver.await("task.created", 3 * 2 + 3 + 3);
    CHECK(distinct_ids(receiver.received("task.created")) == 3);
    CHECK(
        hive.colony().hive().await_audit("webhook.replayed").entity_id == text_at(webhook, "/id"));
}

TEST_CASE("the log is paged through and stays bounded") {
    WebhooksUnderTest hive;
    Receiver receiver;
    const auto webhook = hive.create(receiver.url(), {{"events", {"task.created"}}});
    for (int i = 0; i < 5; ++i) hive.colony().make_task({});
    REQUIRE(eventually([&] { return hive.deliveries(webhook, "?state=delivered").size() == 5; }));
    const auto page = hive.admin().get(path_of(webhook, "/deliveries?limit=2"));
    CHECK(page.at("items").as_array().size() == 2);
    const auto next =
        hive.admin().get(path_of(webhook, "/deliveries?limit=2&cursor=" + text_at(page, "/next")));
    CHECK(next.at("items").at(0).at("id") != page.at("items").at(0).at("id"));
    hive.admin().get(path_of(webhook, "/deliveries?state=lost"), 400);
    hive.admin().get(path_of(webhook, "/deliveries?cursor=forged"), 400);
    const auto whole =
        hive.admin().get(path_of(webhook, "/deliveries/" + text_at(page, "/items/0/id")));
    CHECK(text_at(whole, "/payload/type") == "task.created");
}

TEST_CASE("deliveries that wait when the server stops go out when it starts again") {
    WebhooksUnderTest hive;
    Receiver receiver{Receiver::answering(503)};
    const auto webhook = hive.create(receiver.url(), {{"events", {"task.created"}}});
    hive.colony().make_task({});
    receiver.await("task.created");
    hive.restart();
    receiver.behave(Receiver::answering(204));
    hive.await(webhook, "task.created", "delivered");
    CHECK(distinct_ids(receiver.received("task.created")) == 1);
}
