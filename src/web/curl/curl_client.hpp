#pragma once

#include "kernel/clock.hpp"
#include "web/client.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace hive::web::curl {

struct Options {
    std::string ca_file{};              // PEM; trusted besides the system's authorities
    bool public_only = false;           // refuse private and local addresses: Errc::denied
    std::vector<std::string> allowed{}; // all the same: networks (10.1.0.0/16, ::1) and host names
    std::size_t under_way = 32;         // requests, and so connections, at the same time
    std::size_t waiting = 1024;         // for their turn; more are refused with Errc::limit
    Duration connect_within = std::chrono::seconds{10};
};

// One thread carries all requests.
class CurlClient final : public Client {
public:
    // Errc::invalid when the file of authorities cannot be read or what is allowed is no network.
    static Result<std::unique_ptr<CurlClient>> open(Options options);

    ~CurlClient() override; // closes without grace when nobody did before
    CurlClient(const CurlClient&) = delete;
    CurlClient& operator=(const CurlClient&) = delete;

    void send(Request request, std::function<void(Result<Answer>)> done) override;

    // Lets requests finish for that long, then fails the rest with Errc::closed. Once it returns
    // every `done` has been called. Not from within one.
    void close(Duration grace);

private:
    class Loop;
    explicit CurlClient(std::unique_ptr<Loop> loop);
    std::unique_ptr<Loop> loop_;
};

} // namespace hive::web::curl
