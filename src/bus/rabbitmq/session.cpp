#include "bus/rabbitmq/session.hpp"

#include "bus/rabbitmq/dial.hpp"
#include "bus/rabbitmq/steady.hpp"

#include <amqp_tcp_socket.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <utility>

namespace hive::bus::rabbitmq {
namespace {

constexpr int frame_max = 131072;

amqp_table_entry_t flag(const char* name) {
    amqp_table_entry_t entry{};
    entry.key = amqp_cstring_bytes(name);
    entry.value.kind = AMQP_FIELD_KIND_BOOLEAN;
    entry.value.value.boolean = 1;
    return entry;
}

} // namespace

Session::Session(const Endpoint& endpoint, Interrupter& interrupter)
    : endpoint_{endpoint}, interrupter_{interrupter}, connection_{amqp_new_connection()} {
    if (connection_ == nullptr) throw std::bad_alloc{};
}

Session::~Session() {
    interrupter_.release();
    amqp_destroy_connection(connection_);
}

Result<std::unique_ptr<Session>>
Session::open(const Endpoint& endpoint, const Identity& identity, Interrupter& interrupter) {
    std::unique_ptr<Session> session{new Session{endpoint, interrupter}};
    auto witness = session->connect();
    if (!witness) return fail(witness.error());
    if (!interrupter.guard(session->socket())) {
        return fail(
            Errc::closed, fmt::format("gave up connecting to {}: closed", endpoint.where()));
    }
    if (auto ok = session->log_in(identity, std::move(*witness)); !ok) return fail(ok.error());
    return session;
}

Result<Session::Witness> Session::connect() {
    if (endpoint_.tls) {
        auto opened = open_tls(connection_, endpoint_, interrupter_);
        if (!opened) return fail(opened.error());
        return Witness{std::move(*opened)};
    }
    const auto fd = dial(endpoint_, interrupter_);
    if (!fd) return fail(fd.error());
    amqp_socket_t* socket = amqp_tcp_socket_new(connection_);
    if (socket == nullptr) {
        ::close(*fd);
        throw std::bad_alloc{};
    }
    amqp_tcp_socket_set_sockfd(socket, *fd);
    return Witness{};
}

Status Session::log_in(const Identity& identity, Witness witness) {
    const timeval handshake = library_timeout(bounded(endpoint_.connect_timeout));
    amqp_set_handshake_timeout(connection_, &handshake);
    const timeval request = library_timeout(identity.request_timeout);
    amqp_set_rpc_timeout(connection_, &request);

    std::array<amqp_table_entry_t, 4> capabilities{
        flag("connection.blocked"), flag("consumer_cancel_notify"), flag("basic.nack"),
        flag("publisher_confirms")};
    std::array<amqp_table_entry_t, 2> properties{};
    properties[0].key = amqp_cstring_bytes("capabilities");
    properties[0].value.kind = AMQP_FIELD_KIND_TABLE;
    properties[0].value.value.table = {static_cast<int>(capabilities.size()), capabilities.data()};
    properties[1].key = amqp_cstring_bytes("connection_name");
    properties[1].value.kind = AMQP_FIELD_KIND_UTF8;
    properties[1].value.value.bytes = bytes_of(identity.name);
    const amqp_table_t table{static_cast<int>(properties.size()), properties.data()};

    std::string password{endpoint_.password.reveal()};
    const auto reply = amqp_login_with_properties(
        connection_, endpoint_.vhost.c_str(), 0, frame_max,
        static_cast<int>(endpoint_.heartbeat.count()), &table, AMQP_SASL_METHOD_PLAIN,
        endpoint_.user.c_str(), password.c_str());
    OPENSSL_cleanse(password.data(), password.size());
    if (reply.reply_type == AMQP_RESPONSE_NORMAL) return {};
    if (witness && reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION) {
        return fail(tls_login_error(reply.library_error, endpoint_, witness->last_words()));
    }
    return fail(login_error(reply, endpoint_));
}

Duration Session::feed_within() const {
    const auto heartbeat = std::chrono::seconds{std::max(1, amqp_get_heartbeat(connection_))};
    return std::min<Duration>(Duration{heartbeat} / 2, std::chrono::seconds{1});
}

Result<bool> Session::next_frame(amqp_frame_t& frame) {
    const timeval now{0, 0};
    const int status = amqp_simple_wait_frame_noblock(connection_, &frame, &now);
    if (status == AMQP_STATUS_TIMEOUT) return false;
    if (auto ok = check(status, "keep the connection"); !ok) return fail(ok.error());
    return true;
}

bool Session::has_buffered() const {
    return amqp_frames_enqueued(connection_) != 0 || amqp_data_in_buffer(connection_) != 0;
}

Status Session::send(amqp_channel_t channel, amqp_method_number_t method, void* decoded) {
    return check(amqp_send_method(connection_, channel, method, decoded), "talk");
}

Status Session::write(std::string_view bytes, std::string_view doing) {
    int status = AMQP_STATUS_OK;
    while (!bytes.empty() && status == AMQP_STATUS_OK) {
        const ssize_t sent =
            ::send(socket(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0)
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        else if (errno == EAGAIN)
            status = await_room();
        else if (errno != EINTR)
            status = AMQP_STATUS_SOCKET_ERROR;
    }
    return check(status, doing);
}

// A broker with an alarm does not read, for as long as it lasts, and tells by its heartbeats that
// it is there. They stay unread meanwhile: reading, the library might send one of ours into the
// middle of a frame.
int Session::await_room() {
    const auto heartbeat = std::chrono::seconds{amqp_get_heartbeat(connection_)};
    const int patience = heartbeat.count() > 0 ? poll_timeout(2 * heartbeat) : -1;
    int unread = 0;
    for (;;) {
        pollfd watched{socket(), POLLOUT, 0};
        const int ready = ::poll(&watched, 1, patience);
        if (ready > 0) return AMQP_STATUS_OK; // or an error, which the next write will tell
        if (ready < 0 && errno != EINTR) return AMQP_STATUS_SOCKET_ERROR;
        int now_unread = 0;
        if (::ioctl(socket(), FIONREAD, &now_unread) != 0) return AMQP_STATUS_SOCKET_ERROR;
        if (ready == 0 && now_unread == unread) return AMQP_STATUS_HEARTBEAT_TIMEOUT;
        unread = now_unread;
    }
}

Status Session::check(int status, std::string_view doing) {
    if (status == AMQP_STATUS_OK) return {};
    broken_ = library_error(status, doing, endpoint_);
    return fail(*broken_);
}

Status Session::outcome(amqp_channel_t channel, std::string_view doing) {
    const auto reply = amqp_get_rpc_reply(connection_);
    if (reply.reply_type == AMQP_RESPONSE_NORMAL) return {};
    Error error = reply_error(reply, doing, endpoint_);
    if (reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION &&
        reply.reply.id == AMQP_CHANNEL_CLOSE_METHOD) {
        amqp_channel_close_ok_t confirmation{};
        if (auto ok = send(channel, AMQP_CHANNEL_CLOSE_OK_METHOD, &confirmation); !ok) return ok;
        return fail(std::move(error));
    }
    broken_ = std::move(error);
    return fail(*broken_);
}

Status Session::closed_by_broker(const amqp_method_t& method) {
    broken_ = broker_error(close_reason(method), "keep the connection", endpoint_);
    const Error why = *broken_;
    amqp_connection_close_ok_t confirmation{};
    // Politeness; the connection is gone whether or not this arrives.
    amqp_send_method(connection_, 0, AMQP_CONNECTION_CLOSE_OK_METHOD, &confirmation);
    return fail(why);
}

void Session::say_goodbye() {
    amqp_connection_close(connection_, AMQP_REPLY_SUCCESS);
}

} // namespace hive::bus::rabbitmq
