#pragma once

#include "web/client.hpp"
#include "web/curl/destination.hpp"
#include "web/curl/exemptions.hpp"

#include <curl/curl.h>

#include <array>
#include <functional>
#include <memory>
#include <string>

namespace hive::web::curl {

struct TransferOptions {
    std::string ca_file{}; // PEM; trusted besides the system's authorities
    bool public_only = false;
    Exemptions allowed{};
    Duration connect_within = std::chrono::seconds{10};
};

// One request on its way. Stays where it was made: libcurl points into it.
class Transfer {
public:
    using Done = std::function<void(Result<Answer>)>;

    // Errc::invalid for a request that cannot be sent as it is: a bad URL, a line break in a
    // header.
    static Result<std::unique_ptr<Transfer>> make(Request request, Done done, TimePoint now);

    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    TimePoint deadline() const noexcept { return deadline_; }
    CURL* handle() const noexcept { return handle_.get(); }

    // Sets the handle up; from here on libcurl calls back.
    void prepare(const TransferOptions& options, TimePoint now);
    // Tells the caller. The handle has left its multi handle by now.
    void finish(CURLcode code);
    void fail_with(Error error) { done_(fail(std::move(error))); }
    void fail_late();

private:
    static constexpr std::size_t head_bytes_max = std::size_t{64} << 10U;

    Transfer(Request request, Destination to, Done done, TimePoint deadline);
    void set_method();
    unsigned status() const; // 0 before there is one
    void set_headers();
    void add_header(const std::string& line);

    static std::size_t take_head(char* bytes, std::size_t, std::size_t count, void* self);
    static std::size_t take_body(char* bytes, std::size_t, std::size_t count, void* self);
    static curl_socket_t open_public(void* self, curlsocktype purpose, curl_sockaddr* address);

    Request request_;
    Destination to_;
    Done done_;
    TimePoint deadline_;
    Answer answer_{};
    std::size_t head_bytes_ = 0;
    bool too_long_ = false;
    bool unwanted_ = false; // the sink takes no more
    bool forbidden_ = false;
    const Exemptions* allowed_ = nullptr; // of the client, while this is under way
    std::array<char, CURL_ERROR_SIZE> said_{};
    std::unique_ptr<curl_slist, void (*)(curl_slist*)> headers_{nullptr, curl_slist_free_all};
    std::unique_ptr<CURL, void (*)(CURL*)> handle_{nullptr, curl_easy_cleanup};
};

} // namespace hive::web::curl
