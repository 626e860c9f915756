#include "web/curl/destination.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <memory>

namespace hive::web::curl {
namespace {

std::string part_of(CURLU* url, CURLUPart part) {
    char* text = nullptr;
    if (curl_url_get(url, part, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) return {};
    const std::unique_ptr<char, void (*)(void*)> owned{text, curl_free};
    return text;
}

} // namespace

Result<Destination> parse_destination(const std::string& url) {
    // curl itself skips or encodes some of these, and what it asks for would not be what we
    // checked.
    const bool clean = std::ranges::all_of(url, [](char c) { return c > ' ' && c < '\x7f'; });
    const std::unique_ptr<CURLU, void (*)(CURLU*)> parsed{curl_url(), curl_url_cleanup};
    if (!clean || curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) {
        return fail(Errc::invalid, "the address to ask is not a URL");
    }
    const std::string scheme = part_of(parsed.get(), CURLUPART_SCHEME);
    if (scheme != "http" && scheme != "https") {
        return fail(Errc::invalid, "only http and https addresses can be asked");
    }
    return Destination{
        part_of(parsed.get(), CURLUPART_HOST), part_of(parsed.get(), CURLUPART_PORT)};
}

} // namespace hive::web::curl
