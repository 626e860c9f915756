#include "bus/rabbitmq/endpoint.hpp"
#include "bus/rabbitmq/session.hpp"
#include "cli/probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace hive::cli {
namespace {

namespace rabbitmq = bus::rabbitmq;

// One login and a goodbye, without the adapter's retries: doctor wants to know about now.
Status log_in(rabbitmq::Endpoint& endpoint, Duration within) {
    using std::chrono::milliseconds;
    const auto limit = std::chrono::duration_cast<milliseconds>(within);
    endpoint.connect_timeout = std::min(endpoint.connect_timeout, limit);
    rabbitmq::Interrupter interrupter;
    auto session = rabbitmq::Session::open(
        endpoint, {.name = "hive doctor", .request_timeout = within}, interrupter);
    if (!session) return fail(std::move(session.error()));
    (*session)->say_goodbye();
    return {};
}

} // namespace

Check check_broker(const std::optional<Url>& url, Duration within) {
    if (!url) {
        return {
            .name = "broker",
            .health = Health::note,
            .message = "in memory; set --broker URL to use RabbitMQ"};
    }
    auto endpoint = rabbitmq::parse_endpoint(url->reveal());
    if (!endpoint) {
        return {
            .name = "broker",
            .health = Health::bad_input,
            .message = endpoint.error().detail,
            .remedy = "write it as amqp://user:password@host:5672/vhost"};
    }
    if (const auto ok = log_in(*endpoint, within); !ok) {
        return {
            .name = "broker",
            .health = Health::missing,
            .message = fmt::format("RabbitMQ at {}: {}", url->shown(), ok.error().detail),
            .remedy = "check that the server runs, and user, password and vhost of --broker URL"};
    }
    return {.name = "broker", .message = fmt::format("RabbitMQ at {} accepts us", url->shown())};
}

} // namespace hive::cli
