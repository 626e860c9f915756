#include "bus/rabbitmq/errors.hpp"
#include "bus/rabbitmq/properties.hpp"
#include "bus/rabbitmq/publish_frames.hpp"

#include <amqp_framing.h>
#include <doctest/doctest.h>

#include <vector>

using namespace hive;
using namespace hive::bus::rabbitmq;

namespace {

struct Frame {
    int kind;
    int channel;
    std::string payload;
};

std::uint64_t number(std::string_view bytes) {
    std::uint64_t value = 0;
    for (const char byte : bytes) value = (value << 8U) | static_cast<unsigned char>(byte);
    return value;
}

std::vector<Frame> frames_in(std::string_view bytes) {
    std::vector<Frame> out;
    while (!bytes.empty()) {
        REQUIRE(bytes.size() >= 8);
        const auto size = static_cast<std::size_t>(number(bytes.substr(3, 4)));
        REQUIRE(bytes.size() >= size + 8);
        out.push_back(
            {bytes[0], static_cast<int>(number(bytes.substr(1, 2))),
             std::string{bytes.substr(7, size)}});
        CHECK(bytes[7 + size] == '\xce');
        bytes.remove_prefix(size + 8);
    }
    return out;
}

Outgoing message(std::string body) {
    Outgoing out;
    out.exchange = "ph.alpha.work";
    out.key = "calls";
    out.persistent = true;
    out.body = std::move(body);
    return out;
}

} // namespace

TEST_CASE("a message is a method, a header and its body, as the library reads them") {
    auto sent = message("{\"a\":1}");
    sent.attempt = 2;
    sent.error = "it broke";
    PublishFrames frames{131072};
    const Properties properties{sent, true};
    REQUIRE(frames.add(sent, *properties.get(), {.channel = 258, .mandatory = true}));
    const auto read = frames_in(frames.bytes());
    REQUIRE(read.size() == 3);
    for (const Frame& frame : read) CHECK(frame.channel == 258);

    CHECK(read[0].kind == AMQP_FRAME_METHOD);
    CHECK(number(read[0].payload.substr(0, 4)) == AMQP_BASIC_PUBLISH_METHOD);
    amqp_pool_t pool{};
    init_amqp_pool(&pool, 4096);
    void* decoded = nullptr;
    REQUIRE(
        amqp_decode_method(
            AMQP_BASIC_PUBLISH_METHOD, &pool, bytes_of(std::string_view{read[0].payload}.substr(4)),
            &decoded) == AMQP_STATUS_OK);
    const auto* method = static_cast<amqp_basic_publish_t*>(decoded);
    CHECK(view(method->exchange) == "ph.alpha.work");
    CHECK(view(method->routing_key) == "calls");
    CHECK(method->mandatory == 1);

    CHECK(read[1].kind == AMQP_FRAME_HEADER);
    CHECK(number(read[1].payload.substr(0, 2)) == AMQP_BASIC_CLASS);
    CHECK(number(read[1].payload.substr(4, 8)) == 7);
    REQUIRE(
        amqp_decode_properties(
            AMQP_BASIC_CLASS, &pool, bytes_of(std::string_view{read[1].payload}.substr(12)),
            &decoded) == AMQP_STATUS_OK);
    const auto* said = static_cast<amqp_basic_properties_t*>(decoded);
    CHECK(view(said->content_type) == "application/json");
    CHECK(said->delivery_mode == AMQP_DELIVERY_PERSISTENT);
    CHECK(said->headers.num_entries == 2);
    CHECK(view(said->headers.entries[1].value.value.bytes) == "it broke");

    CHECK(read[2].kind == AMQP_FRAME_BODY);
    CHECK(read[2].payload == "{\"a\":1}");
    empty_amqp_pool(&pool);
}

TEST_CASE("a body longer than a frame goes in several, an empty one in none") {
    const auto sent = message(std::string(10'000, 'x'));
    PublishFrames frames{4096};
    const Properties properties{sent, false};
    REQUIRE(frames.add(sent, *properties.get(), {.channel = 1, .mandatory = false}));
    const auto nothing = message("");
    REQUIRE(frames.add(nothing, *properties.get(), {.channel = 1, .mandatory = false}));
    const auto read = frames_in(frames.bytes());
    REQUIRE(read.size() == 7); // two of the first, three of its body, two of the second
    std::size_t whole = 0;
    for (std::size_t i = 2; i < 5; ++i) {
        CHECK(read[i].payload.size() + 8 <= 4096);
        whole += read[i].payload.size();
    }
    CHECK(whole == 10'000);
    frames.clear();
    CHECK(frames.bytes().empty());
}

TEST_CASE("what the library cannot encode adds nothing") {
    auto sent = message("x");
    sent.key.assign(300, 'k'); // over AMQP's bound
    PublishFrames frames{4096};
    const Properties properties{sent, false};
    CHECK(!frames.add(sent, *properties.get(), {.channel = 1, .mandatory = false}));
    CHECK(frames.bytes().empty());
}
