#include "bus/rabbitmq/errors.hpp"

#include <fmt/format.h>

namespace hive::bus::rabbitmq {
namespace {

std::string printable(std::string_view text) {
    constexpr std::size_t text_max = 300;
    std::string out;
    for (const char c : text.substr(0, text_max)) out += (c >= ' ' && c <= '~') ? c : '?';
    return text.size() > text_max ? out + "..." : out;
}

Error vhost_error(const CloseReason& reason, const Endpoint& endpoint) {
    if (reason.text.find("not found") != std::string::npos) {
        return {
            Errc::not_found,
            fmt::format(
                "RabbitMQ at {} has no virtual host '{}'; create it (rabbitmqctl add_vhost) or "
                "correct the end of the broker URL",
                endpoint.where(), printable(endpoint.vhost))};
    }
    return {
        Errc::denied,
        fmt::format(
            "RabbitMQ at {} does not let user '{}' into virtual host '{}'; grant it with "
            "rabbitmqctl set_permissions ({})",
            endpoint.where(), printable(endpoint.user), printable(endpoint.vhost), reason.text)};
}

} // namespace

std::string_view view(amqp_bytes_t bytes) noexcept {
    return {static_cast<const char*>(bytes.bytes), bytes.len};
}

amqp_bytes_t bytes_of(std::string_view text) noexcept {
    // The library never writes through these.
    return {text.size(), const_cast<char*>(text.data())};
}

CloseReason close_reason(const amqp_method_t& method) {
    if (method.id == AMQP_CONNECTION_CLOSE_METHOD) {
        const auto* close = static_cast<const amqp_connection_close_t*>(method.decoded);
        return {close->reply_code, printable(view(close->reply_text))};
    }
    const auto* close = static_cast<const amqp_channel_close_t*>(method.decoded);
    return {close->reply_code, printable(view(close->reply_text))};
}

Error broker_error(const CloseReason& reason, std::string_view doing, const Endpoint& endpoint) {
    const auto sentence = [&](std::string_view advice) {
        return fmt::format(
            "could not {} on RabbitMQ at {}: {}; {}", doing, endpoint.where(), reason.text, advice);
    };
    switch (reason.code) {
    case AMQP_ACCESS_REFUSED:
        return {
            Errc::denied, sentence(fmt::format(
                              "grant user '{}' the permission with rabbitmqctl set_permissions",
                              printable(endpoint.user)))};
    case AMQP_NOT_FOUND: return {Errc::not_found, sentence("declare it first")};
    case AMQP_RESOURCE_LOCKED:
        return {Errc::denied, sentence("only the connection that declared it may use it")};
    case AMQP_PRECONDITION_FAILED:
        return {Errc::conflict, sentence("remove it first or declare it with the same settings")};
    case AMQP_NOT_ALLOWED: return {Errc::denied, sentence("the broker forbids it")};
    case AMQP_CONNECTION_FORCED: return {Errc::unavailable, sentence("try again later")};
    case AMQP_FRAME_ERROR: // a name or argument that AMQP cannot carry
    case AMQP_SYNTAX_ERROR:
    case AMQP_COMMAND_INVALID: return {Errc::invalid, sentence("correct the request")};
    default: return {Errc::unavailable, sentence("see the broker's log")};
    }
}

Error publish_error(const CloseReason& reason, const Endpoint& endpoint) {
    if (reason.code == AMQP_PRECONDITION_FAILED && reason.text.find("size") != std::string::npos) {
        return {
            Errc::invalid,
            fmt::format(
                "RabbitMQ at {} takes no message that large ({}); send less at once or raise "
                "max_message_size in its configuration",
                endpoint.where(), reason.text)};
    }
    return broker_error(reason, "publish", endpoint);
}

Error library_error(int status, std::string_view doing, const Endpoint& endpoint) {
    const auto sentence = [&](std::string_view what) {
        return fmt::format("could not {} on RabbitMQ at {}: {}", doing, endpoint.where(), what);
    };
    switch (status) {
    case AMQP_STATUS_TIMEOUT: return {Errc::timeout, sentence("no answer in time")};
    case AMQP_STATUS_HEARTBEAT_TIMEOUT:
        return {Errc::unavailable, sentence("no heartbeat from the broker")};
    case AMQP_STATUS_CONNECTION_CLOSED:
    case AMQP_STATUS_SOCKET_CLOSED:
    case AMQP_STATUS_SOCKET_ERROR: return {Errc::unavailable, sentence("the connection was lost")};
    default: return {Errc::unavailable, sentence(amqp_error_string2(status))};
    }
}

Error reply_error(const amqp_rpc_reply_t& reply, std::string_view doing, const Endpoint& endpoint) {
    if (reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION &&
        (reply.reply.id == AMQP_CHANNEL_CLOSE_METHOD ||
         reply.reply.id == AMQP_CONNECTION_CLOSE_METHOD)) {
        return broker_error(close_reason(reply.reply), doing, endpoint);
    }
    return library_error(reply.library_error, doing, endpoint);
}

Error login_error(const amqp_rpc_reply_t& reply, const Endpoint& endpoint) {
    if (reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION &&
        reply.reply.id == AMQP_CONNECTION_CLOSE_METHOD) {
        const CloseReason reason = close_reason(reply.reply);
        if (reason.code == AMQP_ACCESS_REFUSED) {
            return {
                Errc::denied,
                fmt::format(
                    "RabbitMQ at {} refuses user '{}': wrong user name or password; correct them "
                    "in the broker URL",
                    endpoint.where(), printable(endpoint.user))};
        }
        if (reason.code == AMQP_NOT_ALLOWED) return vhost_error(reason, endpoint);
        return broker_error(reason, "log in", endpoint);
    }
    if (reply.library_error == AMQP_STATUS_TIMEOUT) {
        return {
            Errc::timeout,
            fmt::format(
                "{} accepted the connection but did not answer as RabbitMQ in time; check host and "
                "port, and that they are not those of its TLS listener",
                endpoint.where())};
    }
    if (reply.library_error == AMQP_STATUS_CONNECTION_CLOSED ||
        reply.library_error == AMQP_STATUS_SOCKET_ERROR ||
        reply.library_error == AMQP_STATUS_SOCKET_CLOSED) {
        return {
            Errc::unavailable,
            fmt::format(
                "{} closed the connection during login; check that RabbitMQ listens there without "
                "TLS (amqps:// otherwise)",
                endpoint.where())};
    }
    return library_error(reply.library_error, "log in", endpoint);
}

} // namespace hive::bus::rabbitmq
