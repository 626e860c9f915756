#include "call/target.hpp"

#include <fmt/format.h>

namespace hive::call {

Target::Target(const Url& url, std::shared_ptr<const TlsClient> tls)
    : scheme_{url.scheme}, host_{url.host}, port_{url.port}, authority_{authority_of(url)},
      tls_{std::move(tls)} {}

Result<std::shared_ptr<const Target>>
Target::make(const Url& url, std::shared_ptr<const TlsClient> tls) {
    if (url.host.empty() || url.port == 0)
        return fail(Errc::invalid, "a target needs a host and a port");
    if (is_secure(url.scheme) && tls == nullptr)
        return fail(
            Errc::invalid,
            fmt::format("{}://{} needs TLS options", name_of(url.scheme), authority_of(url)));
    return std::shared_ptr<const Target>{new Target{url, std::move(tls)}};
}

const std::string& Target::server_name() const noexcept {
    return tls_ != nullptr && !tls_->options().server_name.empty() ? tls_->options().server_name
                                                                   : host_;
}

std::string Target::text() const {
    return fmt::format("{}://{}", name_of(scheme_), authority_);
}

} // namespace hive::call
