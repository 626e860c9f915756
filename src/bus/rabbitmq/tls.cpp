#include "bus/rabbitmq/tls.hpp"

#include "bus/rabbitmq/dial.hpp"
#include "bus/rabbitmq/errors.hpp"
#include "bus/rabbitmq/steady.hpp"
#include "bus/rabbitmq/tls_errors.hpp"

#include <amqp_ssl_socket.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <new>
#include <utility>

namespace hive::bus::rabbitmq {
namespace {

// The library offers no place for a pointer of ours in its callbacks; a handshake stays on the
// thread that began it.
thread_local Unverified unverified;
thread_local const char* wanted_server_name = nullptr;
thread_local SSL* shaking_hands = nullptr; // during open_tls()

std::string date_of(const ASN1_TIME* time) {
    std::tm parts{};
    if (time == nullptr || ASN1_TIME_to_tm(time, &parts) != 1) return "an unknown date";
    return fmt::format(
        "{:04}-{:02}-{:02} {:02}:{:02} UTC", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
        parts.tm_hour, parts.tm_min);
}

int note_unverified(int ok, X509_STORE_CTX* context) {
    if (ok != 0) return ok;
    unverified = {.reason = X509_STORE_CTX_get_error(context)};
    if (const X509* certificate = X509_STORE_CTX_get_current_cert(context)) {
        unverified.from = date_of(X509_get0_notBefore(certificate));
        unverified.until = date_of(X509_get0_notAfter(certificate));
    }
    return ok;
}

// The library asks for the host it connects to; the URL may want another name.
void begin_handshake(const SSL* ssl, int where, int /*result*/) {
    if ((where & SSL_CB_HANDSHAKE_START) == 0) return;
    shaking_hands = const_cast<SSL*>(ssl);
    if (wanted_server_name != nullptr) SSL_set_tlsext_host_name(shaking_hands, wanted_server_name);
}

bool is_address(const std::string& host) {
    std::array<unsigned char, sizeof(in6_addr)> address{};
    return ::inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
           ::inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

void check_host(SSL_CTX* context, const std::string& name) {
    X509_VERIFY_PARAM* param = SSL_CTX_get0_param(context);
    if (is_address(name)) {
        X509_VERIFY_PARAM_set1_ip_asc(param, name.c_str());
    } else {
        X509_VERIFY_PARAM_set_hostflags(param, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        X509_VERIFY_PARAM_set1_host(param, name.c_str(), name.size());
    }
}

// Nobody is there to type it, and the default would ask the terminal. `asked` is a bool.
int no_passphrase(char* /*buffer*/, int /*size*/, int /*for_writing*/, void* asked) {
    *static_cast<bool*>(asked) = true;
    return -1;
}

Status load_files(amqp_socket_t* socket, SSL_CTX* context, const Tls& tls) {
    ERR_clear_error();
    if (!tls.ca_file.empty() &&
        amqp_ssl_socket_set_cacert(socket, tls.ca_file.c_str()) != AMQP_STATUS_OK) {
        return fail(ca_file_error(tls.ca_file));
    }
    if (tls.cert_file.empty()) return {};
    bool asked = false;
    SSL_CTX_set_default_passwd_cb(context, &no_passphrase);
    SSL_CTX_set_default_passwd_cb_userdata(context, &asked);
    const int status = amqp_ssl_socket_set_key(socket, tls.cert_file.c_str(), tls.key_file.c_str());
    SSL_CTX_set_default_passwd_cb_userdata(context, nullptr);
    if (asked) return fail(locked_key_error(tls.key_file));
    if (status != AMQP_STATUS_OK) return fail(client_files_error(tls, TlsReasons::take()));
    return {};
}

Error open_error(int status, const Endpoint& endpoint, const Interrupter& interrupter) {
    if (endpoint.tls->verify && unverified.reason != X509_V_OK) {
        return unverified_error(unverified, endpoint);
    }
    if (status == AMQP_STATUS_TIMEOUT) {
        return {
            Errc::timeout,
            fmt::format(
                "no TLS handshake with {} within {} ms; check the address, and that this is "
                "RabbitMQ's TLS port",
                endpoint.where(), endpoint.connect_timeout.count())};
    }
    const auto reasons = TlsReasons::take();
    if (status == AMQP_STATUS_SOCKET_ERROR || status == AMQP_STATUS_HOSTNAME_RESOLUTION_FAILED) {
        // The library does not say why, so it is asked for again.
        const auto fd = dial(endpoint, interrupter);
        if (!fd) return fd.error();
        ::close(*fd);
    }
    return handshake_error(reasons, amqp_error_string2(status), endpoint);
}

} // namespace

Result<TlsWitness> open_tls(
    amqp_connection_state_t connection, const Endpoint& endpoint, const Interrupter& interrupter) {
    amqp_socket_t* socket = amqp_ssl_socket_new(connection);
    if (socket == nullptr) throw std::bad_alloc{};
    auto* context = static_cast<SSL_CTX*>(amqp_ssl_socket_get_context(socket));
    if (auto ok = load_files(socket, context, *endpoint.tls); !ok) return fail(ok.error());
    amqp_ssl_socket_set_verify_hostname(socket, 0);
    amqp_ssl_socket_set_verify_peer(socket, endpoint.tls->verify ? 1 : 0);
    amqp_ssl_socket_set_ssl_versions(socket, AMQP_TLSv1_2, AMQP_TLSvLATEST);
    if (endpoint.tls->verify) {
        if (endpoint.tls->ca_file.empty()) SSL_CTX_set_default_verify_paths(context);
        check_host(context, checked_name(endpoint));
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, &note_unverified);
    } else {
        SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nullptr);
    }
    SSL_CTX_set_info_callback(context, &begin_handshake);

    unverified = {};
    shaking_hands = nullptr;
    wanted_server_name =
        endpoint.tls->server_name.empty() ? nullptr : endpoint.tls->server_name.c_str();
    ERR_clear_error();
    const timeval timeout = library_timeout(bounded(endpoint.connect_timeout));
    const int status =
        amqp_socket_open_noblock(socket, endpoint.host.c_str(), endpoint.port, &timeout);
    wanted_server_name = nullptr;
    SSL* ssl = std::exchange(shaking_hands, nullptr);
    if (status != AMQP_STATUS_OK) return fail(open_error(status, endpoint, interrupter));
    return TlsWitness{ssl};
}

TlsWitness::TlsWitness(ssl_st* ssl) : ssl_{ssl}, fd_{::fcntl(SSL_get_fd(ssl), F_DUPFD_CLOEXEC, 0)} {
    SSL_up_ref(ssl_);
}

TlsWitness::TlsWitness(TlsWitness&& other) noexcept
    : ssl_{std::exchange(other.ssl_, nullptr)}, fd_{std::exchange(other.fd_, -1)} {}

TlsWitness::~TlsWitness() {
    SSL_free(ssl_);
    if (fd_ >= 0) ::close(fd_);
}

TlsReasons TlsWitness::last_words() {
    auto reasons = TlsReasons::take();
    if (!reasons.empty() || fd_ < 0) return reasons;
    char byte = 0;
    SSL_set_fd(ssl_, fd_);
    SSL_peek(ssl_, &byte, sizeof byte); // the socket does not block
    return TlsReasons::take();
}

Error tls_login_error(int status, const Endpoint& endpoint, const TlsReasons& reasons) {
    if (status == AMQP_STATUS_TIMEOUT) return library_error(status, "log in", endpoint);
    return handshake_error(reasons, amqp_error_string2(status), endpoint);
}

} // namespace hive::bus::rabbitmq
