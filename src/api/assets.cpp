#include "api/assets.hpp"

#include "api/etag.hpp"

namespace hive::api {
namespace {

// Scripts and styles from us alone; connections back to us alone; never in a frame.
constexpr std::string_view page_policy =
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'self'";

bool is_page(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return path.find('.', slash) == path.npos;
}

} // namespace

bool accepts_gzip(const http::Request& request) noexcept {
    std::string_view rest = request.header("Accept-Encoding").value_or("");
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view item = http::trimmed(rest.substr(0, comma));
        const std::size_t semicolon = std::min(item.find(';'), item.size());
        const std::string_view weight = http::trimmed(item.substr(semicolon));
        const bool refused = weight.find("q=0") != weight.npos &&
                             weight.find_first_of("123456789", 3) == weight.npos;
        if (http::equal_ignoring_case(http::trimmed(item.substr(0, semicolon)), "gzip")) {
            return !refused;
        }
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return false;
}

EmbeddedAssets::EmbeddedAssets(std::span<const AssetFile> files) {
    for (const AssetFile& file : files) {
        const std::string hash = hex_sha256(file.bytes).substr(0, 32);
        files_.emplace(file.path, Entry{file, '"' + hash + '"', '"' + hash + "-gz\""});
    }
}

const EmbeddedAssets::Entry* EmbeddedAssets::entry_for(const http::Request& request) const {
    auto at = files_.find(request.path);
    if (at == files_.end() && is_page(request.path)) at = files_.find("/index.html");
    return at == files_.end() ? nullptr : &at->second;
}

std::optional<http::Response> EmbeddedAssets::find(const http::Request& request) const {
    const Entry* entry = entry_for(request);
    if (entry == nullptr) return std::nullopt;
    const AssetFile& file = entry->file;
    const bool gzip = !file.gzip.empty() && accepts_gzip(request);
    const std::string& etag = gzip ? entry->gzip_etag : entry->etag;
    http::Response response{.content_type = file.content_type};
    response.headers.add("ETag", etag);
    response.headers.add(
        "Cache-Control",
        file.path.starts_with("/assets/") ? "public, max-age=31536000, immutable" : "no-cache");
    if (!file.gzip.empty()) response.headers.add("Vary", "Accept-Encoding");
    if (file.content_type.starts_with("text/html")) {
        response.headers.add("Content-Security-Policy", page_policy);
    }
    if (is_not_modified(request, etag)) {
        response.status = 304;
        response.content_type = {};
        return response;
    }
    if (gzip) response.headers.add("Content-Encoding", "gzip");
    response.body = gzip ? file.gzip : file.bytes;
    return response;
}

} // namespace hive::api
