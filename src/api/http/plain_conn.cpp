#include "api/http/plain_conn.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace hive::http {
namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

class PlainConn final : public Conn {
public:
    explicit PlainConn(Socket socket) : socket_{std::move(socket)} {
        error_code ignored; // a socket that cannot be set up fails at its first read
        socket_.non_blocking(true, ignored);
    }

    asio::awaitable<error_code> open() override { co_return error_code{}; }
    asio::awaitable<IoCount> read_some(asio::mutable_buffer into) override {
        return socket_.async_read_some(into, as_result);
    }
    asio::awaitable<IoCount> write_some(Buffers from) override {
        return socket_.async_write_some(from, as_result);
    }
    IoCount try_write(Buffers from) override {
        error_code error;
        const std::size_t written = socket_.write_some(from, error);
        return {error, written};
    }
    void cancel() noexcept override {
        error_code ignored;
        socket_.cancel(ignored);
    }
    void end_writing() noexcept override {
        error_code ignored;
        socket_.shutdown(Socket::shutdown_send, ignored);
    }
    void close() noexcept override {
        error_code ignored;
        socket_.close(ignored);
    }

private:
    Socket socket_;
};

} // namespace

std::unique_ptr<Conn> make_plain_conn(Socket socket) {
    return std::make_unique<PlainConn>(std::move(socket));
}

} // namespace hive::http
