#include "web/curl/transfer.hpp"

#include "kernel/http_token.hpp"
#include "web/curl/public_address.hpp"
#include "web/curl/trouble.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cassert>
#include <new>
#include <utility>

namespace hive::web::curl {
namespace {

bool is_field_value(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7f');
    });
}

std::string lowered(std::string_view text) {
    std::string out{text};
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blank);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

long to_ms(Duration time) { // at least 1: libcurl reads 0 as "for ever"
    return static_cast<long>(
        std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::milliseconds>(time).count()));
}

// An option that is refused means a libcurl without it: a bug of ours, not of this request.
template <class T>
void set(CURL* handle, CURLoption option, T value) {
    const CURLcode code = curl_easy_setopt(handle, option, value);
    if (code == CURLE_OUT_OF_MEMORY) throw std::bad_alloc{};
    assert(code == CURLE_OK);
}

} // namespace

Transfer::Transfer(Request request, Destination to, Done done, TimePoint deadline)
    : request_{std::move(request)}, to_{std::move(to)}, done_{std::move(done)},
      deadline_{deadline} {}

Result<std::unique_ptr<Transfer>> Transfer::make(Request request, Done done, TimePoint now) {
    auto to = parse_destination(request.url);
    if (!to) return fail(std::move(to.error()));
    if (!is_http_token(request.method)) return fail(Errc::invalid, "the method is not a word");
    for (const Field& field : request.headers) {
        if (!is_http_token(field.name) || !is_field_value(field.value)) {
            return fail(Errc::invalid, "a header holds a character that headers must not hold");
        }
    }
    const TimePoint deadline = now + request.within;
    return std::unique_ptr<Transfer>{
        new Transfer{std::move(request), *std::move(to), std::move(done), deadline}};
}

void Transfer::prepare(const TransferOptions& options, TimePoint now) {
    handle_.reset(curl_easy_init());
    if (!handle_) throw std::bad_alloc{};
    CURL* handle = handle_.get();
    set(handle, CURLOPT_PRIVATE, static_cast<void*>(this));
    set(handle, CURLOPT_URL, request_.url.c_str());
    set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    set(handle, CURLOPT_FOLLOWLOCATION, 0L);
    set(handle, CURLOPT_PROXY, ""); // also keeps out http_proxy and its relatives
    set(handle, CURLOPT_NETRC, long{CURL_NETRC_IGNORED});
    set(handle, CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_1_1});
    set(handle, CURLOPT_NOSIGNAL, 1L);
    set(handle, CURLOPT_QUICK_EXIT, 1L); // a slow resolver must not hold up the others
    set(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    set(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    set(handle, CURLOPT_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2});
    // libcurl looks into its directory of authorities as well, which is the system's.
    if (!options.ca_file.empty()) set(handle, CURLOPT_CAINFO, options.ca_file.c_str());
    const Duration left = deadline_ - now;
    set(handle, CURLOPT_TIMEOUT_MS, to_ms(left));
    set(handle, CURLOPT_CONNECTTIMEOUT_MS, to_ms(std::min(left, options.connect_within)));
    set(handle, CURLOPT_ERRORBUFFER, said_.data());
    set(handle, CURLOPT_HEADERFUNCTION, &Transfer::take_head);
    set(handle, CURLOPT_HEADERDATA, static_cast<void*>(this));
    set(handle, CURLOPT_WRITEFUNCTION, &Transfer::take_body);
    set(handle, CURLOPT_WRITEDATA, static_cast<void*>(this));
    if (options.public_only && !options.allowed.has_host(to_.host)) {
        allowed_ = &options.allowed;
        set(handle, CURLOPT_OPENSOCKETFUNCTION, &Transfer::open_public);
        set(handle, CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));
    }
    set_method();
    set_headers();
}

void Transfer::set_method() {
    CURL* handle = handle_.get();
    if (request_.method == "HEAD") {
        set(handle, CURLOPT_NOBODY, 1L);
        return;
    }
    const bool has_body = !request_.body.empty() || request_.method == "POST" ||
                          request_.method == "PUT" || request_.method == "PATCH";
    if (has_body) {
        set(handle, CURLOPT_POST, 1L);
        set(handle, CURLOPT_POSTFIELDS, request_.body.data());
        set(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    }
    set(handle, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
}

void Transfer::set_headers() {
    bool typed = false;
    bool named = false;
    for (const Field& field : request_.headers) {
        const std::string name = lowered(field.name);
        typed = typed || name == "content-type";
        named = named || name == "user-agent";
        // libcurl's spelling of a header without a value.
        const bool blank = trimmed(field.value).empty();
        add_header(
            blank ? fmt::format("{};", field.name)
                  : fmt::format("{}: {}", field.name, field.value));
    }
    if (!typed) add_header("Content-Type:"); // none of libcurl's own choice
    if (!named) add_header("User-Agent: hive");
    add_header("Expect:"); // costs a second when a server does not know it
    set(handle_.get(), CURLOPT_HTTPHEADER, headers_.get());
}

void Transfer::add_header(const std::string& line) {
    curl_slist* longer = curl_slist_append(headers_.get(), line.c_str());
    if (longer == nullptr) throw std::bad_alloc{};
    if (!headers_) headers_.reset(longer); // later it stays the same
}

std::size_t Transfer::take_head(char* bytes, std::size_t, std::size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    transfer.head_bytes_ += count;
    if (transfer.head_bytes_ > head_bytes_max) {
        transfer.too_long_ = true;
        return 0;
    }
    const std::string_view line{bytes, count};
    if (line.starts_with("HTTP/")) transfer.answer_.headers.clear(); // after 100 Continue
    const std::size_t colon = line.find(':');
    if (!line.starts_with("HTTP/") && colon != line.npos) {
        transfer.answer_.headers.push_back(
            {lowered(line.substr(0, colon)), std::string{trimmed(line.substr(colon + 1))}});
    }
    return count;
}

std::size_t Transfer::take_body(char* bytes, std::size_t, std::size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    if (transfer.request_.sink && transfer.status() / 100 == 2) {
        transfer.unwanted_ = !transfer.request_.sink({bytes, count});
        return transfer.unwanted_ ? 0 : count;
    }
    if (count > transfer.request_.answer_bytes_max - transfer.answer_.body.size()) {
        transfer.too_long_ = true;
        return 0;
    }
    transfer.answer_.body.append(bytes, count);
    return count;
}

curl_socket_t Transfer::open_public(void* self, curlsocktype, curl_sockaddr* address) {
    auto& transfer = *static_cast<Transfer*>(self);
    if (!is_public(address->addr) && !transfer.allowed_->has(address->addr)) {
        transfer.forbidden_ = true;
        return CURL_SOCKET_BAD;
    }
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

unsigned Transfer::status() const {
    long status = 0;
    curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
    return static_cast<unsigned>(status);
}

void Transfer::finish(CURLcode code) {
    if (code == CURLE_OK) {
        answer_.status = status();
        done_(std::move(answer_));
    } else if (unwanted_) {
        fail_with({Errc::closed, "the rest of the answer was not wanted"});
    } else if (too_long_) {
        fail_with(
            {Errc::limit, fmt::format(
                              "the answer of {} is longer than {} bytes", to_.text(),
                              request_.answer_bytes_max)});
    } else if (forbidden_ && code == CURLE_COULDNT_CONNECT) {
        fail_with({Errc::denied, fmt::format("{} is not on the public internet", to_.text())});
    } else {
        fail_with(trouble_of(handle_.get(), code, to_, said_.data()));
    }
}

void Transfer::fail_late() {
    fail_with(
        {Errc::timeout, fmt::format("the request to {} did not get its turn in time", to_.text())});
}

} // namespace hive::web::curl
