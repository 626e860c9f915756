#include "call/stream.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>

namespace hive::call {
namespace {

class PlainStream final : public Stream {
public:
    explicit PlainStream(Socket socket) : socket_{std::move(socket)} {
        error_code ignored; // a socket that cannot be set up fails at its first use
        socket_.non_blocking(true, ignored);
    }

    Async<error_code> open() override { co_return error_code{}; }
    Async<IoCount> read_some(asio::mutable_buffer into) override {
        return socket_.async_read_some(into, as_result);
    }
    Async<IoCount> write_some(asio::const_buffer from) override {
        return socket_.async_write_some(from, as_result);
    }
    IoCount try_read(asio::mutable_buffer into) override {
        error_code error;
        const std::size_t count = socket_.read_some(into, error);
        return {error, count};
    }
    IoCount try_write(asio::const_buffer from) override {
        error_code error;
        const std::size_t count = socket_.write_some(from, error);
        return {error, count};
    }
    Pulse pulse() noexcept override {
        char byte = 0;
        const auto got = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (got > 0) return Pulse::talking;
        return got < 0 && errno == EAGAIN ? Pulse::quiet : Pulse::gone;
    }
    bool resumed() const noexcept override { return false; }
    void cancel() noexcept override {
        error_code ignored;
        socket_.cancel(ignored);
    }
    Failure explain(const error_code& error) const override { return explain_system_error(error); }

private:
    Socket socket_;
};

ErrorClass class_of(const error_code& error) {
    switch (error.value()) {
    case ECONNREFUSED: return ErrorClass::refused;
    case EHOSTUNREACH:
    case ENETUNREACH:
    case EHOSTDOWN:
    case ENETDOWN: return ErrorClass::unreachable;
    case ETIMEDOUT: return ErrorClass::unreachable;
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
    case EADDRNOTAVAIL: return ErrorClass::local_resources;
    case ECONNRESET:
    case ECONNABORTED:
    case EPIPE: return ErrorClass::reset;
    case ECANCELED: return ErrorClass::cancelled;
    default: return ErrorClass::network;
    }
}

} // namespace

Failure explain_system_error(const error_code& error) {
    if (error == asio::error::eof)
        return {ErrorClass::closed_early, "the peer closed the connection before it answered"};
    return {class_of(error), error.message()};
}

std::unique_ptr<Stream> make_plain_stream(Socket socket) {
    return std::make_unique<PlainStream>(std::move(socket));
}

} // namespace hive::call
