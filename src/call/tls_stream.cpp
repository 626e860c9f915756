#include "call/stream.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace hive::call {
namespace {

// OpenSSL's own socket BIO writes without MSG_NOSIGNAL: a peer that left would kill the process.
int descriptor_of(BIO* bio) {
    return static_cast<Socket*>(BIO_get_data(bio))->native_handle();
}

int bio_write(BIO* bio, const char* data, int size) {
    BIO_clear_retry_flags(bio);
    const ssize_t sent =
        ::send(descriptor_of(bio), data, static_cast<std::size_t>(size), MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_write(bio);
    return static_cast<int>(sent);
}

int bio_read(BIO* bio, char* data, int size) {
    BIO_clear_retry_flags(bio);
    const ssize_t got = ::recv(descriptor_of(bio), data, static_cast<std::size_t>(size), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_read(bio);
    if (got == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    return static_cast<int>(got);
}

long bio_control(BIO* bio, int command, long, void*) {
    // OpenSSL asks for the end of the stream to tell it from an error.
    if (command == BIO_CTRL_EOF) return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

BIO_METHOD* socket_method() {
    static BIO_METHOD* const method = [] {
        BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "hive call");
        BIO_meth_set_write(made, bio_write);
        BIO_meth_set_read(made, bio_read);
        BIO_meth_set_ctrl(made, bio_control);
        return made;
    }();
    return method;
}

bool is_about_our_certificate(int reason) {
    switch (reason) {
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
    case SSL_R_TLSV1_ALERT_ACCESS_DENIED:
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED: return true;
    default: return false;
    }
}

class TlsStream final : public Stream {
public:
    TlsStream(Socket socket, const Target& target, std::shared_ptr<SessionSlot> session)
        : socket_{std::move(socket)}, tls_{target.tls()}, session_{std::move(session)},
          ssl_{SSL_new(target.tls()->context()), SSL_free} {
        error_code ignored; // a socket that cannot be set up fails in the handshake
        socket_.non_blocking(true, ignored);
        BIO* bio = BIO_new(socket_method());
        BIO_set_data(bio, &socket_);
        BIO_set_init(bio, 1);
        SSL_set_bio(ssl_.get(), bio, bio);
        SSL_set_connect_state(ssl_.get());
        expect(target.server_name());
        keep_sessions(ssl_.get(), session_.get());
        if (*session_) SSL_set_session(ssl_.get(), session_->get());
    }
    ~TlsStream() override {
        // Best effort: a close_notify that does not fit is followed by the end of the TCP stream.
        if (!broken_ && open_) SSL_shutdown(ssl_.get());
        ERR_clear_error();
    }

    Async<error_code> open() override {
        for (;;) {
            ERR_clear_error();
            const int result = SSL_do_handshake(ssl_.get());
            if (result == 1) {
                open_ = true;
                co_return error_code{};
            }
            if (const error_code error = co_await wait_for(SSL_get_error(ssl_.get(), result)))
                co_return error;
        }
    }

    Async<IoCount> read_some(asio::mutable_buffer into) override {
        for (;;) {
            ERR_clear_error();
            const int got = SSL_read(ssl_.get(), into.data(), clamp(into.size()));
            if (got > 0) co_return IoCount{error_code{}, static_cast<std::size_t>(got)};
            if (const error_code error = co_await wait_for(SSL_get_error(ssl_.get(), got)))
                co_return IoCount{error, 0};
        }
    }

    Async<IoCount> write_some(asio::const_buffer from) override {
        for (;;) {
            ERR_clear_error();
            const int sent = SSL_write(ssl_.get(), from.data(), clamp(from.size()));
            if (sent > 0) co_return IoCount{error_code{}, static_cast<std::size_t>(sent)};
            if (const error_code error = co_await wait_for(SSL_get_error(ssl_.get(), sent)))
                co_return IoCount{error, 0};
        }
    }

    IoCount try_read(asio::mutable_buffer into) override {
        ERR_clear_error();
        return now(SSL_read(ssl_.get(), into.data(), clamp(into.size())));
    }
    IoCount try_write(asio::const_buffer from) override {
        ERR_clear_error();
        return now(SSL_write(ssl_.get(), from.data(), clamp(from.size())));
    }

    Pulse pulse() noexcept override {
        char byte = 0;
        ERR_clear_error();
        const int got = SSL_peek(ssl_.get(), &byte, 1);
        if (got > 0) return Pulse::talking;
        const int reason = SSL_get_error(ssl_.get(), got);
        if (reason == SSL_ERROR_WANT_READ) return Pulse::quiet;
        broken_ = broken_ || reason != SSL_ERROR_ZERO_RETURN;
        return Pulse::gone;
    }
    bool resumed() const noexcept override { return SSL_session_reused(ssl_.get()) == 1; }
    void cancel() noexcept override {
        error_code ignored;
        socket_.cancel(ignored);
    }

    Failure explain(const error_code& error) const override {
        return failure_.error == ErrorClass::none ? explain_system_error(error) : failure_;
    }

private:
    static int clamp(std::size_t size) {
        return static_cast<int>(std::min(size, static_cast<std::size_t>(INT_MAX)));
    }

    // Which name the peer has to prove, and the one we ask for; an address is no name for SNI.
    void expect(const std::string& name) {
        X509_VERIFY_PARAM* rules = SSL_get0_param(ssl_.get());
        if (X509_VERIFY_PARAM_set1_ip_asc(rules, name.c_str()) == 1) return;
        X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        X509_VERIFY_PARAM_set1_host(rules, name.data(), name.size());
        SSL_set_tlsext_host_name(ssl_.get(), name.c_str());
        ERR_clear_error();
    }

    IoCount now(int result) {
        if (result > 0) return {error_code{}, static_cast<std::size_t>(result)};
        const int reason = SSL_get_error(ssl_.get(), result);
        if (reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE)
            return {asio::error::would_block, 0};
        return {failed(reason), 0};
    }

    Async<error_code> wait_for(int reason) {
        if (reason != SSL_ERROR_WANT_READ && reason != SSL_ERROR_WANT_WRITE)
            co_return failed(reason);
        const auto which = reason == SSL_ERROR_WANT_READ ? Socket::wait_read : Socket::wait_write;
        const auto [error] = co_await socket_.async_wait(which, as_result);
        co_return error;
    }

    error_code failed(int reason) {
        if (reason == SSL_ERROR_ZERO_RETURN) return asio::error::eof;
        const int system = errno;
        const bool shaking = !open_; // after an error OpenSSL itself says it is shaking hands
        const unsigned long code = ERR_get_error();
        ERR_clear_error();
        // After a fatal error OpenSSL forbids further calls, SSL_shutdown included.
        broken_ = true;
        const bool cut = ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
        if (cut || (reason == SSL_ERROR_SYSCALL && system == 0)) {
            failure_ = {
                shaking ? ErrorClass::tls_handshake : ErrorClass::closed_early,
                shaking ? "the peer closed the connection during the TLS handshake"
                        : "the peer closed the connection without ending the TLS session"};
            return asio::error::connection_reset;
        }
        if (reason == SSL_ERROR_SYSCALL) return {system, boost::system::system_category()};
        failure_ = judge(code, shaking);
        return asio::error::connection_reset;
    }

    Failure judge(unsigned long code, bool shaking) const {
        const char* words = ERR_reason_error_string(code);
        const std::string reason = words == nullptr ? "no reason given" : words;
        const long verdict = SSL_get_verify_result(ssl_.get());
        if (shaking && verdict != X509_V_OK && tls_->options().verify)
            return {
                ErrorClass::tls_certificate, fmt::format(
                                                 "the peer's certificate is not accepted: {}",
                                                 X509_verify_cert_error_string(verdict))};
        if (is_about_our_certificate(ERR_GET_REASON(code)))
            return {
                ErrorClass::tls_certificate,
                fmt::format("the peer does not accept our certificate: {}", reason)};
        return {
            shaking ? ErrorClass::tls_handshake : ErrorClass::reset,
            fmt::format("TLS {} failed: {}", shaking ? "handshake" : "connection", reason)};
    }

    Socket socket_;
    std::shared_ptr<const TlsClient> tls_;
    std::shared_ptr<SessionSlot> session_;
    std::unique_ptr<SSL, decltype(&SSL_free)> ssl_;
    Failure failure_;
    bool open_ = false;
    bool broken_ = false;
};

} // namespace

std::unique_ptr<Stream>
make_tls_stream(Socket socket, const Target& target, const std::shared_ptr<SessionSlot>& session) {
    return std::make_unique<TlsStream>(std::move(socket), target, session);
}

} // namespace hive::call
