#include "tests/system/web_certificates.hpp"
#include "tests/system/web_server.hpp"
#include "web/curl/curl_client.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;
using hive::web::curl::CurlClient;

namespace {

std::unique_ptr<CurlClient> open_client(web::curl::Options options = {}) {
    auto client = CurlClient::open(std::move(options));
    REQUIRE(client);
    return std::move(*client);
}

Error error_of(web::Client& client, web::Request request) {
    const auto answer = web::send_and_wait(client, std::move(request));
    REQUIRE_FALSE(answer);
    return answer.error();
}

bool says(const Error& error, std::string_view words) {
    INFO(error.detail);
    return error.detail.find(words) != std::string::npos;
}

// Tells what it received: `POST /path?query body`, then the headers.
http::Response mirror(const http::Request& request) {
    std::string text = fmt::format("{} {} {}\n", request.method_text, request.target, request.body);
    for (const auto& header : request.headers) {
        text += fmt::format("{}: {}\n", header.name, header.value);
    }
    http::Response response = text_answer(std::move(text));
    response.headers.add("X-Mirror", " yes ");
    return response;
}

// A socket on a free port that listens, and answers whatever comes with these bytes; with none it
// only listens.
class RawServer {
public:
    explicit RawServer(std::string bytes) : fd_{::socket(AF_INET, SOCK_STREAM, 0)} {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        REQUIRE(::bind(fd_, reinterpret_cast<sockaddr*>(&address), size) == 0);
        REQUIRE(::listen(fd_, 8) == 0);
        ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
        port = ntohs(address.sin_port);
        if (bytes.empty()) return;
        thread_ = std::thread{[this, bytes = std::move(bytes)] {
            const int peer = ::accept(fd_, nullptr, nullptr);
            if (peer < 0) return;
            char request[4096];
            static_cast<void>(::recv(peer, request, sizeof request, 0));
            static_cast<void>(::send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL));
            ::close(peer);
        }};
    }
    ~RawServer() {
        ::shutdown(fd_, SHUT_RDWR);
        if (thread_.joinable()) thread_.join();
        ::close(fd_);
    }
    std::string url() const { return fmt::format("http://127.0.0.1:{}/", port); }
    int port = 0;

private:
    int fd_;
    std::thread thread_;
};

} // namespace

TEST_CASE("method, target, headers and body arrive as they were given, and nothing else") {
    WebServer server{mirror};
    const auto client = open_client();
    const auto got = web::send_and_wait(
        *client, {.method = "POST",
                  .url = server.url("/path?x=%20y"),
                  .headers = {{"X-Mine", "1"}, {"X-Blank", ""}},
                  .body = "bytes"});
    REQUIRE(got);
    CHECK(got->status == 200);
    CHECK(got->body.starts_with("POST /path?x=%20y bytes\n"));
    CHECK(got->body.find("X-Mine: 1\n") != std::string::npos);
    CHECK(got->body.find("X-Blank: \n") != std::string::npos);
    CHECK(got->body.find("User-Agent: hive\n") != std::string::npos);
    CHECK(got->body.find("Content-Type") == std::string::npos);
    const auto mirrored = std::ranges::find(got->headers, "x-mirror", &web::Field::name);
    REQUIRE(mirrored != got->headers.end());
    CHECK(mirrored->value == "yes");
}

TEST_CASE("an answer of any length goes to its sink, which may end it; a refusal does not") {
    WebServer server{[](const http::Request& request) {
        const bool good = request.path == "/good";
        return text_answer(std::string(good ? 3U << 20U : 9U, 'x'), good ? 200 : 404);
    }};
    const auto client = open_client();
    std::size_t bytes = 0;
    const auto count = [&](std::string_view piece) {
        bytes += piece.size();
        return true;
    };
    const auto got = web::send_and_wait(*client, {.url = server.url("/good"), .sink = count});
    REQUIRE(got);
    CHECK(got->body.empty());
    CHECK(bytes == 3U << 20U);
    const auto refused = web::send_and_wait(*client, {.url = server.url("/bad"), .sink = count});
    REQUIRE(refused);
    CHECK(refused->status == 404);
    CHECK(refused->body.size() == 9);
    CHECK(bytes == 3U << 20U);
    const Error ended = error_of(
        *client, {.url = server.url("/good"), .sink = [](std::string_view) { return false; }});
    CHECK(ended.code == Errc::closed);
}

TEST_CASE("every method can be asked with") {
    WebServer server{mirror};
    const auto client = open_client();
    for (const char* method : {"GET", "POST", "PUT", "PATCH", "DELETE"}) {
        const auto got = web::send_and_wait(*client, {.method = method, .url = server.url()});
        REQUIRE(got);
        CHECK(got->body.starts_with(fmt::format("{} / \n", method)));
    }
    const auto head = web::send_and_wait(*client, {.method = "HEAD", .url = server.url()});
    REQUIRE(head);
    CHECK(head->body.empty());
    CHECK(server.traffic().accepted == 1); // one connection for all
}

TEST_CASE("every status is an answer, and a redirect is not followed") {
    WebServer server{[](const http::Request& request) {
        const auto status = static_cast<unsigned>(std::stoul(std::string{request.path.substr(1)}));
        http::Response response{.status = status};
        response.headers.add("Location", "/200");
        return response;
    }};
    const auto client = open_client();
    for (const unsigned status :
         {200U, 201U, 204U, 301U, 302U, 303U, 307U, 308U, 304U, 400U, 401U,
          403U, 404U, 407U, 409U, 410U, 418U, 429U, 500U, 502U, 503U, 504U}) {
        const auto got =
            web::send_and_wait(*client, {.url = server.url(fmt::format("/{}", status))});
        REQUIRE_MESSAGE(got, status);
        CHECK(got->status == status);
    }
}

TEST_CASE("an answer may be as long as the caller says, and not a byte longer") {
    WebServer server{[](const http::Request&) { return text_answer(std::string(300'000, 'x')); }};
    const auto client = open_client();
    const auto fits =
        web::send_and_wait(*client, {.url = server.url(), .answer_bytes_max = 300'000});
    REQUIRE(fits);
    CHECK(fits->body.size() == 300'000);
    const auto error = error_of(*client, {.url = server.url(), .answer_bytes_max = 299'999});
    CHECK(error.code == Errc::limit);
    CHECK(says(error, "longer than 299999 bytes"));
}

TEST_CASE("a head that never ends is cut off") {
    std::string head = "HTTP/1.1 200 OK\r\n";
    for (int i = 0; i < 2000; ++i) head += fmt::format("X-{}: {}\r\n", i, std::string(60, 'x'));
    const RawServer server{head + "\r\n"};
    CHECK(error_of(*open_client(), {.url = server.url()}).code == Errc::limit);
}

TEST_CASE("a server that does not answer costs no more time than was given") {
    Gate gate;
    WebServer server{[&](const http::Request&) { return gate.wait(); }};
    const auto client = open_client();
    const auto error = error_of(*client, {.url = server.url(), .within = 100ms});
    CHECK(error.code == Errc::timeout);
    CHECK(says(error, "no whole answer from 127.0.0.1:"));
    gate.open();
}

TEST_CASE("a server that takes the connection and says nothing more is given up") {
    const RawServer silent{""};
    const auto client = open_client({.connect_within = 100ms});
    const auto error =
        error_of(*client, {.url = fmt::format("https://127.0.0.1:{}/", silent.port)});
    CHECK(error.code == Errc::timeout);
    CHECK(says(error, "no connection to 127.0.0.1:"));
}

TEST_CASE("why there was no answer is told in plain words") {
    const auto client = open_client();
    SUBCASE("nobody listens") {
        int port = 0;
        {
            port = RawServer{""}.port;
        }
        const auto error = error_of(*client, {.url = fmt::format("http://127.0.0.1:{}/", port)});
        CHECK(error.code == Errc::unavailable);
        CHECK(error.detail == fmt::format("127.0.0.1:{} refused the connection", port));
    }
    SUBCASE("no such name") {
        const auto error = error_of(*client, {.url = "http://nobody.invalid/", .within = 30s});
        CHECK(error.code == Errc::unavailable);
        CHECK(error.detail == "the name nobody.invalid could not be resolved");
    }
    SUBCASE("hangs up") {
        const RawServer server{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"};
        CHECK(says(error_of(*client, {.url = server.url()}), "closed the connection before"));
    }
    SUBCASE("speaks something else") {
        const RawServer server{"220 mail.example ESMTP\r\n"};
        CHECK(says(error_of(*client, {.url = server.url()}), "does not speak HTTP"));
    }
    SUBCASE("no TLS") {
        WebServer plain{mirror};
        const auto error =
            error_of(*client, {.url = fmt::format("https://127.0.0.1:{}/", plain.port())});
        CHECK(error.code == Errc::unavailable);
        CHECK(says(error, "no TLS with 127.0.0.1:"));
    }
}

TEST_CASE("what cannot be sent is refused before anything is sent") {
    WebServer server{mirror};
    const auto client = open_client();
    CHECK(error_of(*client, {.url = "file:///etc/passwd"}).code == Errc::invalid);
    CHECK(error_of(*client, {.url = "nonsense"}).code == Errc::invalid);
    CHECK(error_of(*client, {.method = "GET /", .url = server.url()}).code == Errc::invalid);
    CHECK(
        error_of(*client, {.url = server.url(), .headers = {{"X", "1\r\nY: 2"}}}).code ==
        Errc::invalid);
    CHECK(error_of(*client, {.url = server.url(), .headers = {{"X:", "1"}}}).code == Errc::invalid);
    CHECK(server.traffic().accepted == 0);
}

TEST_CASE("proxies of the environment are not used") {
    ::setenv("http_proxy", "http://127.0.0.1:1", 1);
    ::setenv("all_proxy", "http://127.0.0.1:1", 1);
    WebServer server{mirror};
    CHECK(web::send_and_wait(*open_client(), {.url = server.url()}));
    ::unsetenv("http_proxy");
    ::unsetenv("all_proxy");
}

TEST_CASE("a certificate must come from an authority that is trusted, for that name, in its time") {
    const WebCertificate good{{}};
    WebServer server{mirror, good.context()};
    const std::string by_name = fmt::format("https://localhost:{}/", server.port());
    SUBCASE("trusted") {
        const auto client = open_client({.ca_file = good.file()});
        const std::string body(std::size_t{2} << 20U, 'x');
        for (int i = 0; i < 3; ++i) {
            const auto got = web::send_and_wait(
                *client, {.method = "POST",
                          .url = by_name,
                          .body = body,
                          .answer_bytes_max = std::size_t{3} << 20U});
            REQUIRE(got);
            CHECK(got->status == 200);
            CHECK(got->body.size() > body.size());
        }
        CHECK(server.traffic().accepted == 1);
    }
    SUBCASE("unknown authority") {
        const auto error = error_of(*open_client(), {.url = by_name});
        CHECK(error.code == Errc::unavailable);
        CHECK(says(error, "was not accepted: self-signed certificate"));
    }
    SUBCASE("another name") {
        const auto client = open_client({.ca_file = good.file()});
        const auto error = error_of(*client, {.url = server.url()});
        CHECK(error.code == Errc::unavailable);
        CHECK(says(error, "was not accepted"));
        CHECK(says(error, "127.0.0.1"));
    }
    SUBCASE("expired") {
        const WebCertificate old{{.valid_for = -60s}};
        WebServer expired{mirror, old.context()};
        const auto client = open_client({.ca_file = old.file()});
        const auto error =
            error_of(*client, {.url = fmt::format("https://localhost:{}/", expired.port())});
        CHECK(says(error, "certificate has expired"));
    }
    SUBCASE("a file that is not there") {
        CHECK(CurlClient::open({.ca_file = "/nonexistent/ca.pem"}).error().code == Errc::invalid);
    }
}

TEST_CASE("a client for the public internet reaches nothing else") {
    WebServer server{mirror};
    const auto client = open_client({.public_only = true});
    for (const std::string& url :
         {server.url(), fmt::format("http://localhost:{}/", server.port()),
          fmt::format("http://[::ffff:127.0.0.1]:{}/", server.port()),
          fmt::format("http://0x7f000001:{}/", server.port())}) {
        const auto error = error_of(*client, {.url = url});
        CHECK(error.code == Errc::denied);
        CHECK(says(error, "is not on the public internet"));
    }
    CHECK(server.traffic().accepted == 0);
}

TEST_CASE("many at the same time share a bounded number of connections") {
    WebServer server{mirror};
    const auto client = open_client({.under_way = 4});
    constexpr int all = 500;
    std::atomic<int> good{0};
    std::atomic<int> ended{0};
    for (int i = 0; i < all; ++i) {
        client->send(
            {.url = server.url(fmt::format("/{}", i))}, [&, i](const Result<web::Answer>& got) {
                if (got && got->body.starts_with(fmt::format("GET /{} ", i))) ++good;
                ++ended;
            });
    }
    client->close(30s);
    CHECK(ended == all);
    CHECK(good == all);
    CHECK(server.traffic().accepted <= 4);
}

TEST_CASE("who waits in vain for a turn is told in time, and who comes too many at once") {
    Gate gate;
    WebServer server{[&](const http::Request&) { return gate.wait(); }};
    const auto client = open_client({.under_way = 1, .waiting = 1});
    std::promise<Result<web::Answer>> first;
    client->send(
        {.url = server.url()}, [&](Result<web::Answer> got) { first.set_value(std::move(got)); });
    gate.wait_for(1);
    std::promise<Result<web::Answer>> second;
    client->send({.url = server.url(), .within = 100ms}, [&](Result<web::Answer> got) {
        second.set_value(std::move(got));
    });
    CHECK(error_of(*client, {.url = server.url()}).code == Errc::limit);
    const auto late = second.get_future().get();
    REQUIRE_FALSE(late);
    CHECK(late.error().code == Errc::timeout);
    CHECK(says(late.error(), "did not get its turn"));
    gate.open();
    CHECK(first.get_future().get()->body == "late");
}

TEST_CASE("closing fails what still waits, once each, and whatever comes later") {
    Gate gate;
    WebServer server{[&](const http::Request&) { return gate.wait(); }};
    const auto client = open_client({.under_way = 2});
    std::atomic<int> closed{0};
    std::atomic<int> ended{0};
    for (int i = 0; i < 5; ++i) {
        client->send({.url = server.url()}, [&](const Result<web::Answer>& got) {
            ++ended;
            if (!got && got.error().code == Errc::closed) ++closed;
        });
    }
    gate.wait_for(2);
    client->close(50ms);
    CHECK(ended == 5);
    CHECK(closed == 5);
    CHECK(error_of(*client, {.url = server.url()}).code == Errc::closed);
    gate.open();
}

TEST_CASE("a callback may ask again") {
    WebServer server{mirror};
    const auto client = open_client();
    std::promise<bool> again;
    client->send({.url = server.url("/1")}, [&](const Result<web::Answer>&) {
        client->send({.url = server.url("/2")}, [&](const Result<web::Answer>& got) {
            again.set_value(got.has_value());
        });
    });
    CHECK(again.get_future().get());
}
