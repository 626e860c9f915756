// A broker URL from a file or a command line: any text is an endpoint or an error of one sentence.
#include "bus/rabbitmq/endpoint.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace hive;
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    const auto endpoint = bus::rabbitmq::parse_endpoint(text);
    if (!endpoint) {
        require(endpoint.error().code == Errc::invalid);
        require(!endpoint.error().detail.empty() && endpoint.error().detail.size() < 500);
        return 0;
    }
    require(!endpoint->host.empty() && endpoint->port != 0 && !endpoint->vhost.empty());
    require(endpoint->host.find('\0') == std::string::npos);
    require(endpoint->vhost.size() <= 255 && endpoint->user.size() <= 255);
    require(endpoint->heartbeat.count() > 0 && endpoint->connect_timeout.count() > 0);
    require(endpoint->tls.has_value() == text.starts_with("amqps://"));
    return 0;
}
