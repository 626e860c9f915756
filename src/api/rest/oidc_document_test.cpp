#include "api/rest/oidc_document.hpp"

#include <doctest/doctest.h>

#include <deque>

using namespace hive;
using namespace hive::rest;
using namespace std::chrono_literals;

namespace {

// Holds requests until the test answers them.
class HeldClient final : public web::Client {
public:
    void send(web::Request request, std::function<void(Result<web::Answer>)> done) override {
        CHECK(request.url == "https://id.example/keys");
        ++asked;
        held_.push_back(std::move(done));
    }
    void answer(Result<web::Answer> answer) {
        REQUIRE_FALSE(held_.empty());
        const auto done = std::move(held_.front());
        held_.pop_front();
        done(std::move(answer));
    }
    void answer(std::string body) { answer(web::Answer{.status = 200, .body = std::move(body)}); }
    int asked = 0;

private:
    std::deque<std::function<void(Result<web::Answer>)>> held_;
};

// A document whose text must not be empty; `get` tells what came, or why nothing did.
struct DocumentUnderTest {
    std::shared_ptr<std::string> get(Want want = Want::kept) {
        auto told = std::make_shared<std::string>("waits");
        document->get("https://id.example/keys", want, [told](const auto& got) {
            *told = got ? **got : got.error().detail;
        });
        return told;
    }

    HeldClient client;
    VirtualClock clock;
    std::shared_ptr<FetchedDocument<std::string>> document =
        std::make_shared<FetchedDocument<std::string>>(
            client, clock, DocumentRules{.keep_for = 1h, .ask_again_after = 5s},
            [](std::string_view text) -> Result<std::string> {
                if (text.empty()) return fail(Errc::invalid, "is empty");
                return std::string{text};
            });
};

} // namespace

TEST_CASE("a document is asked for once however many wait, then kept for its time") {
    DocumentUnderTest under;
    const auto first = under.get();
    const auto second = under.get();
    CHECK(*first == "waits");
    under.client.answer("one");
    CHECK(*first == "one");
    CHECK(*second == "one");
    under.clock.advance(59min);
    CHECK(*under.get() == "one");
    CHECK(under.client.asked == 1);
    under.clock.advance(1min);
    const auto later = under.get();
    under.client.answer("two");
    CHECK(*later == "two");
    CHECK(under.client.asked == 2);
}

TEST_CASE("a newer one is asked for when wanted, but not again and again") {
    DocumentUnderTest under;
    under.get();
    under.client.answer("one");
    CHECK(*under.get(Want::newer) == "one"); // a moment after the last attempt
    under.clock.advance(5s);
    const auto newer = under.get(Want::newer);
    CHECK(*under.get() == "one"); // who does not need it does not wait for it
    under.client.answer("two");
    CHECK(*newer == "two");
    CHECK(under.client.asked == 2);
}

TEST_CASE("after a failure everybody is told at once, until it is tried again") {
    DocumentUnderTest under;
    const auto first = under.get();
    under.client.answer(fail(Errc::unavailable, "refused"));
    CHECK(*first == "refused");
    CHECK(*under.get() == "refused");
    CHECK(under.client.asked == 1);
    under.clock.advance(5s);
    const auto again = under.get();
    under.client.answer(web::Answer{.status = 500});
    CHECK(*again == "the identity provider answered with status 500");
    under.clock.advance(5s);
    const auto unreadable = under.get();
    under.client.answer("");
    CHECK(*unreadable == "is empty");
}

TEST_CASE("what cannot be renewed is used on") {
    DocumentUnderTest under;
    under.get();
    under.client.answer("one");
    under.clock.advance(2h);
    const auto stale = under.get();
    under.client.answer(fail(Errc::timeout, "late"));
    CHECK(*stale == "one");
    CHECK(*under.get() == "one");
}

TEST_CASE("an answer that comes when the owner is gone harms nobody") {
    DocumentUnderTest under;
    const auto told = under.get();
    under.document.reset();
    under.client.answer("one");
    CHECK(*told == "one");
}
