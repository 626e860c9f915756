#include "tests/system/oidc_browser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace hive::test {
namespace {

std::string site_of(const std::string& url) {
    return url.substr(0, url.find('/', url.find("://") + 3));
}

std::string path_of(const std::string& url) {
    const std::string rest = url.substr(site_of(url).size());
    return rest.substr(0, rest.find('?'));
}

std::string attribute(const std::string& cookie, const std::string& name) {
    std::string lowered = cookie;
    std::ranges::transform(
        lowered, lowered.begin(), [](unsigned char c) { return std::tolower(c); });
    const std::size_t at = lowered.find("; " + name + "=");
    if (at == std::string::npos) return {};
    const std::size_t from = at + name.size() + 3;
    return cookie.substr(from, cookie.find(';', from) - from);
}

} // namespace

std::string header_of(const web::Answer& answer, std::string_view name) {
    const auto found = std::ranges::find(answer.headers, name, &web::Field::name);
    return found == answer.headers.end() ? std::string{} : found->value;
}

web::Answer Browser::get(const std::string& url, const std::string& accept) {
    return send({.url = url, .headers = {{"Accept", accept}}});
}

web::Answer Browser::post(const std::string& url, const std::string& form) {
    return send(
        {.method = "POST",
         .url = url,
         .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
         .body = form});
}

std::string Browser::next(const web::Answer& answer) const {
    const std::string location = header_of(answer, "location");
    if (answer.status < 300 || answer.status > 399) return {};
    return location.starts_with('/') ? site_of(at_) + location : location;
}

web::Answer Browser::send(web::Request request) {
    at_ = request.url;
    const std::string site = site_of(at_);
    const std::string cookies = cookies_for(site, path_of(at_));
    if (!cookies.empty()) request.headers.push_back({"Cookie", cookies});
    if (site == public_site) request.url.replace(0, site.size(), hive_);
    auto answer = web::send_and_wait(client_, std::move(request));
    if (!answer) throw std::runtime_error{answer.error().detail};
    for (const auto& field : answer->headers) {
        if (field.name == "set-cookie") keep(site, field.value);
    }
    return *std::move(answer);
}

void Browser::keep(const std::string& site, const std::string& set_cookie) {
    const std::size_t equals = set_cookie.find('=');
    const std::size_t end = set_cookie.find(';');
    const std::tuple key{site, attribute(set_cookie, "path"), set_cookie.substr(0, equals)};
    if (attribute(set_cookie, "expires").find(" 1970 ") != std::string::npos) {
        cookies_.erase(key);
    } else {
        cookies_[key] = set_cookie.substr(equals + 1, end - equals - 1);
    }
}

std::string Browser::cookies_for(const std::string& site, const std::string& path) const {
    std::string line;
    for (const auto& [key, value] : cookies_) {
        const auto& [of_site, of_path, name] = key;
        if (of_site != site || !path.starts_with(of_path)) continue;
        line += fmt::format("{}{}={}", line.empty() ? "" : "; ", name, value);
    }
    return line;
}

} // namespace hive::test
