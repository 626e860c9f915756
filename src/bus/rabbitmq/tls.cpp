#include "bus/rabbitmq/tls.hpp"

#include "bus/rabbitmq/errors.hpp"

#include <amqp_ssl_socket.h>
#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/time.h>

#include <array>

namespace hive::bus::rabbitmq {
namespace {

// The library offers no place for a pointer of ours in its callbacks; a handshake stays on the
// thread that began it.
thread_local int verify_failure = X509_V_OK;
thread_local const char* wanted_server_name = nullptr;

int note_verify_failure(int ok, X509_STORE_CTX* context) {
    if (ok == 0) verify_failure = X509_STORE_CTX_get_error(context);
    return ok;
}

// The library asks for the host it connects to; the URL may want another name.
void ask_for_server_name(const SSL* ssl, int where, int /*result*/) {
    if ((where & SSL_CB_HANDSHAKE_START) == 0 || wanted_server_name == nullptr) return;
    SSL_set_tlsext_host_name(const_cast<SSL*>(ssl), wanted_server_name);
}

bool is_address(const std::string& host) {
    std::array<unsigned char, sizeof(in6_addr)> address{};
    return ::inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
           ::inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

const std::string& checked_name(const Endpoint& endpoint) {
    return endpoint.tls->server_name.empty() ? endpoint.host : endpoint.tls->server_name;
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

Status load_files(amqp_socket_t* socket, const Endpoint& endpoint) {
    const Tls& tls = *endpoint.tls;
    if (!tls.ca_file.empty() &&
        amqp_ssl_socket_set_cacert(socket, tls.ca_file.c_str()) != AMQP_STATUS_OK) {
        return fail(
            Errc::invalid,
            fmt::format(
                "cannot read CA certificates from '{}' (cacertfile of the broker URL); it must be "
                "a readable PEM file",
                tls.ca_file));
    }
    if (!tls.cert_file.empty() &&
        amqp_ssl_socket_set_key(socket, tls.cert_file.c_str(), tls.key_file.c_str()) !=
            AMQP_STATUS_OK) {
        return fail(
            Errc::invalid,
            fmt::format(
                "cannot use client certificate '{}' with key '{}' (certfile, keyfile of the broker "
                "URL); both must be readable PEM files that belong together",
                tls.cert_file, tls.key_file));
    }
    return {};
}

Error verify_error(int failure, const Endpoint& endpoint) {
    const auto where = endpoint.where();
    switch (failure) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
        return {
            Errc::denied,
            fmt::format(
                "the certificate of {} is not for '{}'; connect by the name in the certificate or "
                "set server_name_indication in the broker URL",
                where, checked_name(endpoint))};
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        return {
            Errc::denied,
            fmt::format(
                "the certificate of {} is signed by a CA that is not trusted here ({}); name its "
                "CA file as cacertfile in the broker URL",
                where, X509_verify_cert_error_string(failure))};
    default:
        return {
            Errc::denied, fmt::format(
                              "the certificate of {} is not accepted: {}; renew it on the broker",
                              where, X509_verify_cert_error_string(failure))};
    }
}

Error wants_certificate(const Endpoint& endpoint) {
    return {
        Errc::denied,
        fmt::format(
            "{} {}; set certfile and keyfile in the broker URL to a certificate its CA signed",
            endpoint.where(),
            endpoint.tls->cert_file.empty() ? "asks for a client certificate"
                                            : "does not accept our client certificate")};
}

bool server_refused_certificate() {
    while (const unsigned long error = ERR_get_error()) {
        switch (ERR_GET_REASON(error)) {
        case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
        case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
        case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
        case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
        case SSL_R_TLSV1_ALERT_UNKNOWN_CA: return true;
        default: break;
        }
    }
    return false;
}

Error open_error(int status, const Endpoint& endpoint) {
    if (endpoint.tls->verify && verify_failure != X509_V_OK) {
        return verify_error(verify_failure, endpoint);
    }
    if (status == AMQP_STATUS_TIMEOUT) {
        return {
            Errc::timeout, fmt::format(
                               "no TLS handshake with {} within {} ms; check the address",
                               endpoint.where(), endpoint.connect_timeout.count())};
    }
    if (server_refused_certificate()) return wants_certificate(endpoint);
    return {
        Errc::unavailable,
        fmt::format(
            "no TLS connection to {} ({}); check that this is RabbitMQ's TLS port, or use amqp://",
            endpoint.where(), amqp_error_string2(status))};
}

} // namespace

Status open_tls(amqp_connection_state_t connection, const Endpoint& endpoint) {
    amqp_socket_t* socket = amqp_ssl_socket_new(connection);
    if (socket == nullptr) return fail(Errc::unavailable, "could not create a TLS socket");
    if (auto ok = load_files(socket, endpoint); !ok) return ok;
    auto* context = static_cast<SSL_CTX*>(amqp_ssl_socket_get_context(socket));
    amqp_ssl_socket_set_verify_hostname(socket, 0);
    amqp_ssl_socket_set_verify_peer(socket, endpoint.tls->verify ? 1 : 0);
    amqp_ssl_socket_set_ssl_versions(socket, AMQP_TLSv1_2, AMQP_TLSvLATEST);
    if (endpoint.tls->verify) {
        if (endpoint.tls->ca_file.empty()) SSL_CTX_set_default_verify_paths(context);
        check_host(context, checked_name(endpoint));
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, &note_verify_failure);
    } else {
        SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nullptr);
    }
    SSL_CTX_set_info_callback(context, &ask_for_server_name);

    verify_failure = X509_V_OK;
    wanted_server_name =
        endpoint.tls->server_name.empty() ? nullptr : endpoint.tls->server_name.c_str();
    ERR_clear_error();
    const auto micros =
        std::chrono::duration_cast<std::chrono::microseconds>(endpoint.connect_timeout).count();
    const timeval timeout{micros / 1'000'000, micros % 1'000'000};
    const int status =
        amqp_socket_open_noblock(socket, endpoint.host.c_str(), endpoint.port, &timeout);
    wanted_server_name = nullptr;
    if (status != AMQP_STATUS_OK) return fail(open_error(status, endpoint));
    return {};
}

Error tls_login_error(int status, const Endpoint& endpoint) {
    if (server_refused_certificate()) return wants_certificate(endpoint);
    if (status == AMQP_STATUS_TIMEOUT) return library_error(status, "log in", endpoint);
    return {
        Errc::unavailable,
        fmt::format(
            "{} closed the TLS connection during login ({}); if it asks for a client certificate, "
            "set certfile and keyfile in the broker URL",
            endpoint.where(), amqp_error_string2(status))};
}

} // namespace hive::bus::rabbitmq
