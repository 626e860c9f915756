#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct ssl_st;
struct ssl_ctx_st;

namespace hive::test {

struct Answer {
    int status = 0;
    std::map<std::string, std::string> headers; // names in lower case
    std::string body;
};

// A blocking client that can misbehave: it sends any bytes at any pace. Every wait ends after ten
// seconds, with an exception that fails the test.
class Client {
public:
    static Client tcp(const std::string& address); // `127.0.0.1:1234`
    static Client local(const std::string& path);
    static Client tls(const std::string& address);

    Client(Client&&) noexcept;
    Client& operator=(Client&&) noexcept;
    ~Client();

    void send(std::string_view bytes);
    // False when the peer has closed: a refusal may cross what we are still sending.
    bool try_send(std::string_view bytes);
    void end_sending(); // half-close
    void shrink_receive_buffer();

    // One whole answer; nullopt when the server closed first. `head` for answers to HEAD.
    std::optional<Answer> receive(bool head = false);
    Answer get(std::string_view path, std::string_view headers = "");
    // Some bytes; empty at the end of the stream.
    std::string receive_some();
    std::string receive_exactly(std::size_t bytes);
    bool closed_by_server(); // true once the end of the stream is reached
    std::string certificate_subject() const;
    int descriptor() const noexcept { return fd_; }

private:
    explicit Client(int fd) : fd_{fd} {}
    void wait(short events) const;

    int fd_ = -1;
    std::shared_ptr<ssl_ctx_st> tls_context_; // shared_ptr for its type-erased deleter
    std::shared_ptr<ssl_st> tls_;
    std::string pending_;
};

} // namespace hive::test
