#include "call/options.hpp"

#include <fmt/format.h>

#include <string_view>

namespace hive::call {

Status check(const Options& options) {
    constexpr std::size_t head_max = 65'536; // the parser's own bound is not far above
    constexpr std::size_t concurrency_max = 100'000;
    std::string_view wrong;
    if (options.concurrency == 0 || options.concurrency > concurrency_max)
        wrong = "the concurrency must be between 1 and 100000";
    else if (options.waiting_max == 0)
        wrong = "at least one call must be allowed to wait";
    else if (options.connections_max == 0)
        wrong = "at least one connection must be allowed";
    else if (options.head_bytes_max < 64 || options.head_bytes_max > head_max)
        wrong = "the head of an answer must be allowed between 64 and 65536 bytes";
    else if (options.timeouts.connect <= Duration::zero())
        wrong = "the connect timeout must be above 0";
    else if (options.timeouts.first_byte <= Duration::zero())
        wrong = "the first byte timeout must be above 0";
    else if (options.timeouts.total <= Duration::zero())
        wrong = "the total timeout must be above 0";
    else if (options.dns_ttl <= Duration::zero())
        wrong = "names must be remembered for some time";
    if (wrong.empty()) return {};
    return fail(Errc::invalid, std::string{wrong});
}

} // namespace hive::call
