// What people read when the broker says no: one sentence that names the thing and the remedy.
#include "tests/system/rabbitmq_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>

using namespace hive;
using namespace hive::tests;

namespace {

void check_mentions(const Error& error, std::initializer_list<std::string_view> words) {
    for (const auto word : words) {
        CHECK_MESSAGE(error.detail.find(word) != std::string::npos, error.detail);
    }
    CHECK_MESSAGE(error.detail.find("sesame") == std::string::npos, error.detail);
}

std::string address() {
    return fmt::format("127.0.0.1:{}", shared_server().port());
}

// A user that may only do what the test says.
std::string url_of_user(std::string_view name, RabbitServer::Permissions permissions) {
    shared_server().add_user(name, "sesame");
    shared_server().set_permissions(name, "/", permissions);
    return shared_server().url_for(fmt::format("{}:sesame", name), "%2f");
}

} // namespace

TEST_CASE("a port where nothing listens is named with what to do") {
    const auto error = refused("amqp://u:sesame@127.0.0.1:1/");
    CHECK(error.code == Errc::unavailable);
    check_mentions(error, {"127.0.0.1:1", "refused", "start RabbitMQ"});
}

TEST_CASE("a host name that does not exist is named") {
    const auto error = refused("amqp://u:sesame@no-such-host.invalid/");
    CHECK(error.code == Errc::unavailable);
    check_mentions(error, {"no-such-host.invalid", "resolved"});
}

TEST_CASE("a wrong password is told without showing it") {
    const auto error = refused(shared_server().url_for("guest:sesame", "%2f"));
    CHECK(error.code == Errc::denied);
    check_mentions(error, {address(), "'guest'", "password"});
}

TEST_CASE("an unknown virtual host is told as such") {
    const auto error = refused(shared_server().url_for("guest:guest", "nowhere"));
    CHECK(error.code == Errc::not_found);
    check_mentions(error, {address(), "'nowhere'", "add_vhost"});
}

TEST_CASE("a virtual host without access for this user is told as such") {
    shared_server().add_vhost("private");
    shared_server().add_user("stranger", "sesame");
    const auto error = refused(shared_server().url_for("stranger:sesame", "private"));
    CHECK(error.code == Errc::denied);
    check_mentions(error, {"'stranger'", "'private'", "set_permissions"});
}

TEST_CASE("a TLS port addressed without TLS is told instead of waiting for ever") {
    const auto url = shared_server().tls_url("127.0.0.1", "connection_timeout=2000");
    const auto error = refused("amqp" + url.substr(5));
    check_mentions(error, {"127.0.0.1", "TLS"});
}

TEST_CASE("each operation without permission names the object and the user") {
    const auto existing = unique_name("existing");
    Client owner;
    owner.declare({.queues = {{.name = existing}}});

    Client nobody{url_of_user("nobody", {"", "", ""})};
    const auto declared = nobody->topology().declare({.queues = {{.name = "mine"}}});
    REQUIRE(!declared.has_value());
    CHECK(declared.error().code == Errc::denied);
    check_mentions(declared.error(), {"declare queue 'mine'", "'nobody'", "set_permissions"});

    const auto exchange = nobody->topology().declare({.exchanges = {{.name = "my-exchange"}}});
    REQUIRE(!exchange.has_value());
    check_mentions(exchange.error(), {"declare exchange 'my-exchange'"});

    const auto receiver = nobody->work().open_receiver({.queue = existing});
    REQUIRE(!receiver.has_value());
    CHECK(receiver.error().code == Errc::denied);
    check_mentions(receiver.error(), {existing, "'nobody'"});

    const auto removed = nobody->topology().remove_queue(existing);
    REQUIRE(!removed.has_value());
    CHECK(removed.error().code == Errc::denied);
    CHECK(nobody->link() == bus::Link::up); // a refusal costs a channel, not the connection
}

TEST_CASE("sending without permission fails the sender with denied") {
    const auto queue = unique_name("queue");
    Client owner;
    owner.declare({.queues = {{.name = queue}}});
    Client reader{url_of_user("reader", {"", "", ".*"})};
    const auto sender = open_sender(reader);
    std::array batch{item("a")};
    REQUIRE(sender->send(straight_to(queue), batch, patience).value_or(0) == 1);
    const auto flushed = sender->flush(patience);
    REQUIRE(!flushed.has_value());
    CHECK(flushed.error().code == Errc::denied);
    check_mentions(flushed.error(), {"'reader'", "set_permissions"});
}

TEST_CASE("a control message without permission is told once and does not stop the next") {
    Client reader{url_of_user("listener", {"", "", ".*"})};
    Client owner;
    owner.declare({.exchanges = {{.name = "ph.control"}}});
    REQUIRE(reader->control().publish({"signal.x", "{}"}, bus::Persistence::persistent));
    const auto flushed = reader->control().flush(patience);
    REQUIRE(!flushed.has_value());
    CHECK(flushed.error().code == Errc::denied);
    CHECK(reader->control().flush(patience).has_value());
}
