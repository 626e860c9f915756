#include "bees/generator/message.hpp"
#include "wire/work_item.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::bees;

namespace {

std::string rendered(const MessageConfig& config) {
    auto message = Message::compile(config);
    REQUIRE_MESSAGE(message, (message ? "" : message.error().detail));
    worker::Renderer renderer{1};
    wire::WorkItem item;
    item.headers.set("x-ph-seq", std::string{"7"});
    renderer.look_at(item, {});
    std::string out;
    REQUIRE(message->render(renderer, out));
    return out;
}

} // namespace

TEST_CASE("a message is the request that its templates say, safe within JSON") {
    CHECK(
        rendered(
            {.method = "POST",
             .path = "/orders/{{ headers['x-ph-seq'] }}",
             .headers = {{"X-Kind", "{{ 'a' | upper }}"}},
             .body = R"({"n": {{ eval('#randInt(7,7)') }}})"}) ==
        R"({"kind":"http.request","request":{"method":"POST","path":"/orders/7",)"
        R"("headers":{"X-Kind":"A"},"body":"{\"n\": 7}"}})");
    CHECK(rendered({.body_type = BodyType::simple, .body = "n={{ 1 + 1 }}"}) == "n=2");
}

TEST_CASE("a message that is no request says on the item itself which call it is for") {
    auto message = Message::compile(
        {.body_type = BodyType::simple,
         .headers = {{"x-ph-call-id", "{{ 'pay' }}-{{ headers['x-ph-seq'] }}"}},
         .body = "x"});
    REQUIRE(message);
    worker::Renderer renderer{1};
    wire::WorkItem item;
    item.headers.set("x-ph-seq", std::string{"7"});
    renderer.look_at(item, {});
    REQUIRE(message->mark(renderer, item.headers));
    CHECK(item.headers.text("x-ph-call-id") == "pay-7");
}
