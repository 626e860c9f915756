#include "tests/system/server_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <condition_variable>
#include <mutex>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

// Whoever reads while it holds gets what it read later: a slow answer of a store.
struct HeldAnswers {
    std::mutex mutex;
    std::condition_variable changed;
    bool holding = false;
    std::vector<std::function<void()>> held;

    void tell(std::function<void()> answer) {
        {
            const std::lock_guard lock{mutex};
            if (holding) {
                held.push_back(std::move(answer));
                changed.notify_all();
                return;
            }
        }
        answer();
    }
    void hold() {
        const std::lock_guard lock{mutex};
        holding = true;
    }
    void await(std::size_t count) {
        std::unique_lock lock{mutex};
        REQUIRE(changed.wait_for(lock, 10s, [&] { return held.size() >= count; }));
    }
    void release() {
        std::vector<std::function<void()>> all;
        {
            const std::lock_guard lock{mutex};
            holding = false;
            all.swap(held);
        }
        for (const auto& answer : all) answer();
    }
};

class SlowReads final : public store::Database {
public:
    SlowReads(std::unique_ptr<store::Database> inner, HeldAnswers& answers)
        : inner_{std::move(inner)}, answers_{&answers} {}

    Status write(store::Unit unit, store::Done done) override {
        return inner_->write(std::move(unit), std::move(done));
    }
    Status read(store::Unit unit, store::Done done) override {
        return inner_->read(
            std::move(unit), [answers = answers_, done = std::move(done)](const Status& status) {
                answers->tell([done, status] { done(status); });
            });
    }
    store::Engine engine() const override { return inner_->engine(); }
    Status close(Duration within) override { return inner_->close(within); }

private:
    std::unique_ptr<store::Database> inner_;
    HeldAnswers* answers_;
};

} // namespace

TEST_CASE("a key that is revoked while it is looked up is not believed afterwards") {
    HeldAnswers answers;
    HiveUnderTest hive{
        {.gate = {.believed = 1h}, .wrap = [&](std::unique_ptr<store::Database> database) {
             return std::make_unique<SlowReads>(std::move(database), answers);
         }}};
    const std::string admin = hive.key_for(accounts::Role::admin);
    const std::string key = HiveUnderTest::bearer(
        hive.key_text({.id = "key-late", .owner = "b", .role = accounts::Role::bee}));
    CHECK(hive.get("/api/v1/me", admin).status == 200); // known from here on
    answers.hold();
    Client late = hive.connect();
    late.send(fmt::format("GET /api/v1/me HTTP/1.1\r\nHost: hive\r\n{}\r\n", key));
    answers.await(2); // the server's own pulse, and this
    CHECK(hive.send("DELETE", "/api/v1/keys/key-late", admin).status == 200);
    answers.release();
    const auto answer = late.receive();
    REQUIRE(answer);
    CHECK(answer->status == 200); // it was good when it was read
    CHECK(hive.get("/api/v1/me", key).status == 401);
}
