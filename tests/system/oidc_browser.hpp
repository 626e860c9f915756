#pragma once

#include "web/client.hpp"

#include <map>
#include <string>
#include <tuple>

namespace hive::test {

// Where browsers see the server, as if there were a proxy in front of it.
inline const std::string public_site = "https://hive.example";

// As much of a browser as signing in needs: cookies with their paths; redirects one at a time.
class Browser {
public:
    Browser(web::Client& client, std::string hive) : client_{client}, hive_{std::move(hive)} {}

    web::Answer get(const std::string& url, const std::string& accept = "*/*");
    web::Answer post(const std::string& url, const std::string& form);
    const std::string& at() const { return at_; } // the last address asked for

    // Where that answer sends the browser; empty when it does not.
    std::string next(const web::Answer& answer) const;
    void forget_cookies() { cookies_.clear(); }

private:
    web::Answer send(web::Request request);
    void keep(const std::string& site, const std::string& set_cookie);
    std::string cookies_for(const std::string& site, const std::string& path) const;

    web::Client& client_;
    std::string hive_; // the real address behind public_site
    std::string at_;
    std::map<std::tuple<std::string, std::string, std::string>, std::string> cookies_;
};

std::string header_of(const web::Answer& answer, std::string_view name);

} // namespace hive::test
