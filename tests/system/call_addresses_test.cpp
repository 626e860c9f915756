#include "call/lane_core.hpp"
#include "tests/system/call_scene.hpp"
#include "tests/system/call_server.hpp"

#include <boost/asio/post.hpp>
#include <doctest/doctest.h>

#include <future>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;
using call::Done;

namespace {

call::Tcp::endpoint at(std::uint16_t port) {
    return {boost::asio::ip::address_v4::loopback(), port};
}

// A lane that already knows the addresses of one host.
class Knowing {
public:
    Knowing(std::vector<call::Tcp::endpoint> addresses, TimePoint fresh_until)
        : lane_{{.timeouts = {.connect = 1s}}, {.done = [this](std::vector<Done>& done) {
                    done_.set_value(std::move(done.front()));
                }}} {
        boost::asio::post(lane_.io(), [this, known = std::move(addresses), fresh_until] {
            call::Site& site = lane_.sites().of(target_);
            site.addresses = known;
            site.fresh_until = fresh_until;
        });
    }
    Done make() {
        std::vector<call::Call> calls;
        calls.push_back(http_call(target_));
        REQUIRE(lane_.submit(calls));
        return done_.get_future().get();
    }

private:
    std::shared_ptr<const call::Target> target_ = target("http://no-such-host.invalid");
    std::promise<Done> done_;
    call::LaneCore lane_;
};

std::uint16_t nobody() {
    const ScriptedServer gone{[](Peer&) {}};
    return gone.port();
}

} // namespace

TEST_CASE("every address of a name is tried before a call fails") {
    ScriptedServer server{always(ok("ok"))};
    Knowing some_good{{at(nobody()), at(nobody()), at(server.port())}, TimePoint::max()};
    const Done found = some_good.make();
    CAPTURE(found.failure.detail);
    CHECK(found.ok());
    CHECK(found.attempts == 1);
    Knowing none_good{{at(nobody()), at(nobody())}, TimePoint::max()};
    CHECK(name_of(none_good.make().failure.error) == "refused");
}

TEST_CASE("an address that is too old is used while another is looked up") {
    ScriptedServer server{always(ok("ok"))};
    Knowing old{{at(server.port())}, TimePoint{}};
    CHECK(old.make().ok());
}
