#pragma once

#include "api/http/request.hpp"
#include "api/http/response.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hive::api {

// One embedded file; the bytes live as long as the program.
struct AssetFile {
    std::string_view path; // `/assets/index-3f9a.js`
    std::string_view content_type;
    std::string_view bytes;
    std::string_view gzip{}; // the same, compressed when it was built; empty when not worth it
};

// Port: the dashboard's files, wherever they come from.
class AssetSource {
public:
    virtual ~AssetSource() = default;
    // The answer to GET or HEAD of that path; nothing when it is not a file of ours.
    virtual std::optional<http::Response> find(const http::Request& request) const = 0;
};

// Files compiled into the binary. What lies under /assets/ has a hash in its name and never
// changes; all else is asked for again, by ETag. A path without a dot is a page of the single-page
// application and gets /index.html.
class EmbeddedAssets final : public AssetSource {
public:
    explicit EmbeddedAssets(std::span<const AssetFile> files);
    std::optional<http::Response> find(const http::Request& request) const override;

private:
    struct Entry {
        AssetFile file;
        std::string etag;
        std::string gzip_etag;
    };
    const Entry* entry_for(const http::Request& request) const;

    std::unordered_map<std::string_view, Entry> files_;
};

// Does the client take gzip, with a weight above zero?
bool accepts_gzip(const http::Request& request) noexcept;

} // namespace hive::api
