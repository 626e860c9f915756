#include "web/curl/trouble.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>
#include <openssl/x509.h>

#include <cerrno>
#include <system_error>

namespace hive::web::curl {
namespace {

curl_off_t time_of(CURL* handle, CURLINFO what) {
    curl_off_t microseconds = 0;
    curl_easy_getinfo(handle, what, &microseconds);
    return microseconds;
}

std::string timed_out(CURL* handle, const Destination& to) {
    if (time_of(handle, CURLINFO_NAMELOOKUP_TIME_T) == 0) {
        return fmt::format("the name {} was not resolved in time", to.host);
    }
    if (time_of(handle, CURLINFO_PRETRANSFER_TIME_T) == 0) {
        return fmt::format("no connection to {} in time", to.text());
    }
    return fmt::format("no whole answer from {} in time", to.text());
}

std::string not_connected(CURL* handle, const Destination& to) {
    long number = 0;
    curl_easy_getinfo(handle, CURLINFO_OS_ERRNO, &number);
    if (number == ECONNREFUSED) return fmt::format("{} refused the connection", to.text());
    if (number == 0) return fmt::format("no connection to {}", to.text());
    return fmt::format(
        "no connection to {}: {}", to.text(),
        std::generic_category().message(static_cast<int>(number)));
}

std::string bad_certificate(CURL* handle, const Destination& to, const std::string& said) {
    long verdict = X509_V_OK;
    curl_easy_getinfo(handle, CURLINFO_SSL_VERIFYRESULT, &verdict);
    const std::string why =
        verdict != X509_V_OK ? X509_verify_cert_error_string(verdict) : printable(said, 200);
    return fmt::format("the certificate of {} was not accepted: {}", to.text(), why);
}

} // namespace

Error trouble_of(CURL* handle, CURLcode code, const Destination& to, const std::string& said) {
    const auto away = [](std::string detail) {
        return Error{Errc::unavailable, std::move(detail)};
    };
    const std::string words = printable(said.empty() ? curl_easy_strerror(code) : said, 200);
    // libcurl has a hundred codes; these are the ones about which there is more to say.
    if (code == CURLE_OPERATION_TIMEDOUT) return {Errc::timeout, timed_out(handle, to)};
    if (code == CURLE_COULDNT_RESOLVE_HOST) {
        return away(fmt::format("the name {} could not be resolved", to.host));
    }
    if (code == CURLE_COULDNT_CONNECT) return away(not_connected(handle, to));
    if (code == CURLE_PEER_FAILED_VERIFICATION) return away(bad_certificate(handle, to, said));
    if (code == CURLE_SSL_CONNECT_ERROR) {
        return away(fmt::format("no TLS with {}: {}", to.text(), words));
    }
    if (code == CURLE_GOT_NOTHING || code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR ||
        code == CURLE_SEND_ERROR) {
        return away(
            fmt::format("{} closed the connection before the whole answer was there", to.text()));
    }
    if (code == CURLE_WEIRD_SERVER_REPLY || code == CURLE_UNSUPPORTED_PROTOCOL) {
        return away(fmt::format("{} does not speak HTTP", to.text()));
    }
    return away(fmt::format("no answer from {}: {}", to.text(), words));
}

} // namespace hive::web::curl
