#include "call/site.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace hive::call {
namespace {

constexpr std::size_t sites_max = 256;                    // more only while all of them are in use
constexpr std::size_t redirects_max = 256;                // origins remembered
constexpr Duration retry_after = std::chrono::seconds{1}; // a name that had no address

void rethrow(const std::exception_ptr& bug) {
    if (bug) std::rethrow_exception(bug);
}

} // namespace

Site& Sites::of(const std::shared_ptr<const Target>& target) {
    if (target.get() == last_) return *last_site_;
    auto& site = sites_[target.get()];
    if (!site) {
        site = std::make_shared<Site>(Site{.target = target});
        Site& made = *site;
        ++made.users; // not the one to be forgotten
        if (sites_.size() > sites_max) forget_unused();
        --made.users;
        last_ = target.get();
        last_site_ = &made;
        return made;
    }
    last_ = target.get();
    last_site_ = site.get();
    return *site;
}

Result<std::shared_ptr<const Target>> Sites::other(const Target& from, const Url& url) {
    std::string origin = fmt::format(
        "{}://{} {}", name_of(url.scheme), authority_of(url),
        static_cast<const void*>(from.tls().get()));
    if (const auto known = redirects_.find(origin); known != redirects_.end()) return known->second;
    if (redirects_.size() >= redirects_max) redirects_.clear();
    std::shared_ptr<const TlsClient> tls = from.tls();
    if (tls == nullptr && is_secure(url.scheme)) {
        auto loaded = TlsClient::load({});
        if (!loaded) return fail(loaded.error());
        tls = std::move(*loaded);
    }
    auto made = Target::make(url, std::move(tls));
    if (made) redirects_.emplace(std::move(origin), *made);
    return made;
}

void Sites::forget_unused() {
    std::erase_if(sites_, [](const auto& each) { return each.second->users == 0; });
    last_ = nullptr;
    last_site_ = nullptr;
}

void Sites::look_up(Site& site, TimePoint now) {
    if (site.resolving || now < site.fresh_until) return;
    error_code not_an_address;
    const auto address = asio::ip::make_address(site.target->host(), not_an_address);
    if (!not_an_address) {
        site.addresses = {Tcp::endpoint{address, site.target->port()}};
        site.fresh_until = TimePoint::max();
        return;
    }
    site.resolving = true;
    asio::co_spawn(io_, resolve(sites_.at(site.target.get())), rethrow);
}

Async<void> Sites::resolve(std::shared_ptr<Site> site) {
    asio::ip::basic_resolver<Tcp, Executor> resolver{io_.get_executor()};
    const Target& target = *site->target;
    const auto [error, found] = co_await resolver.async_resolve(
        target.host(), fmt::format("{}", target.port()),
        Tcp::resolver::numeric_service | Tcp::resolver::address_configured, as_result);
    const TimePoint now = SystemClock{}.now();
    if (error || found.empty()) {
        site->dns_failure = {
            ErrorClass::dns, fmt::format(
                                 "the name {} has no address: {}", target.host(),
                                 error ? error.message() : "none was found")};
        site->fresh_until = now + std::min(dns_ttl_, retry_after);
    } else {
        site->addresses.clear();
        for (const auto& entry : found) site->addresses.push_back(entry.endpoint());
        site->fresh_until = now + dns_ttl_;
    }
    site->resolving = false;
    for (Timer* timer : std::exchange(site->waiting, {})) timer->cancel();
}

bool Sites::close_oldest() {
    Site* oldest = nullptr;
    for (const auto& [target, site] : sites_) {
        if (site->free.empty()) continue;
        if (oldest == nullptr ||
            site->free.front()->resting_since() < oldest->free.front()->resting_since())
            oldest = site.get();
    }
    if (oldest == nullptr) return false;
    oldest->free.erase(oldest->free.begin());
    return true;
}

std::size_t Sites::close_resting_since(TimePoint before) {
    std::size_t closed = 0;
    for (const auto& [target, site] : sites_) {
        closed += std::erase_if(site->free, [&](const std::unique_ptr<Connection>& each) {
            return each->resting_since() <= before || each->is_spoilt();
        });
    }
    return closed;
}

bool Sites::has_free() const noexcept {
    return std::ranges::any_of(sites_, [](const auto& each) { return !each.second->free.empty(); });
}

void Sites::close_all() noexcept {
    for (const auto& [target, site] : sites_) site->free.clear();
}

} // namespace hive::call
