#include "api/http/tls_conn.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace hive::http {
namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

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
    return static_cast<int>(got);
}

long bio_control(BIO*, int command, long, void*) {
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

BIO_METHOD* socket_method() {
    static BIO_METHOD* const method = [] {
        BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "hive socket");
        BIO_meth_set_write(made, bio_write);
        BIO_meth_set_read(made, bio_read);
        BIO_meth_set_ctrl(made, bio_control);
        return made;
    }();
    return method;
}

class TlsConn final : public Conn {
public:
    TlsConn(Socket socket, const std::shared_ptr<SSL_CTX>& context)
        : socket_{std::move(socket)}, ssl_{SSL_new(context.get()), SSL_free} {
        error_code ignored; // a socket that cannot be set up fails in the handshake
        socket_.non_blocking(true, ignored);
        BIO* bio = BIO_new(socket_method());
        BIO_set_data(bio, &socket_);
        BIO_set_init(bio, 1);
        SSL_set_bio(ssl_.get(), bio, bio);
        SSL_set_accept_state(ssl_.get());
    }

    asio::awaitable<error_code> open() override {
        for (;;) {
            ERR_clear_error();
            const int result = SSL_do_handshake(ssl_.get());
            if (result == 1) co_return error_code{};
            if (const error_code error = co_await wait_for(SSL_get_error(ssl_.get(), result)))
                co_return error;
        }
    }

    asio::awaitable<IoCount> read_some(asio::mutable_buffer into) override {
        for (;;) {
            ERR_clear_error();
            const int got = SSL_read(ssl_.get(), into.data(), clamp(into.size()));
            if (got > 0) co_return IoCount{error_code{}, static_cast<std::size_t>(got)};
            if (const error_code error = co_await wait_for(SSL_get_error(ssl_.get(), got)))
                co_return IoCount{error, 0};
        }
    }

    asio::awaitable<IoCount> write_some(Buffers from) override {
        for (;;) {
            const auto [error, written] = try_write(from);
            if (error != asio::error::would_block || written > 0) {
                co_return IoCount{written > 0 ? error_code{} : error, written};
            }
            if (const error_code failed = co_await wait_for(last_write_error_))
                co_return IoCount{failed, 0};
        }
    }

    IoCount try_write(Buffers from) override {
        std::size_t total = 0;
        for (const asio::const_buffer& buffer : from) {
            std::size_t offset = 0;
            while (offset < buffer.size()) {
                ERR_clear_error();
                const auto* data = static_cast<const char*>(buffer.data()) + offset;
                const int sent = SSL_write(ssl_.get(), data, clamp(buffer.size() - offset));
                if (sent <= 0) {
                    last_write_error_ = SSL_get_error(ssl_.get(), sent);
                    const bool later = last_write_error_ == SSL_ERROR_WANT_WRITE ||
                                       last_write_error_ == SSL_ERROR_WANT_READ;
                    if (!later) broken_ = true;
                    return {
                        later ? asio::error::would_block : asio::error::connection_reset, total};
                }
                offset += static_cast<std::size_t>(sent);
                total += static_cast<std::size_t>(sent);
            }
        }
        return {error_code{}, total};
    }

    void cancel() noexcept override {
        error_code ignored;
        socket_.cancel(ignored);
    }
    void end_writing() noexcept override {
        // Best effort: a close_notify that does not fit is followed by the end of the TCP stream.
        if (!broken_ && SSL_is_init_finished(ssl_.get()) == 1) SSL_shutdown(ssl_.get());
        ERR_clear_error();
        error_code ignored;
        socket_.shutdown(Socket::shutdown_send, ignored);
    }
    void close() noexcept override {
        error_code ignored;
        socket_.close(ignored);
    }

private:
    static int clamp(std::size_t size) {
        return static_cast<int>(std::min(size, static_cast<std::size_t>(INT_MAX)));
    }

    asio::awaitable<error_code> wait_for(int reason) {
        switch (reason) {
        case SSL_ERROR_WANT_READ: {
            const auto [error] = co_await socket_.async_wait(Socket::wait_read, as_result);
            co_return error;
        }
        case SSL_ERROR_WANT_WRITE: {
            const auto [error] = co_await socket_.async_wait(Socket::wait_write, as_result);
            co_return error;
        }
        case SSL_ERROR_ZERO_RETURN: co_return error_code{asio::error::eof};
        default:
            // After a fatal error OpenSSL forbids further calls, SSL_shutdown included.
            broken_ = true;
            co_return error_code{asio::error::connection_reset};
        }
    }

    Socket socket_;
    std::unique_ptr<SSL, decltype(&SSL_free)> ssl_;
    int last_write_error_ = SSL_ERROR_NONE;
    bool broken_ = false;
};

} // namespace

std::unique_ptr<Conn> make_tls_conn(Socket socket, const std::shared_ptr<SSL_CTX>& context) {
    return std::make_unique<TlsConn>(std::move(socket), context);
}

} // namespace hive::http
