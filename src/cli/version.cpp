#include "cli/version.hpp"

#include <amqp.h>
#include <boost/version.hpp>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <openssl/crypto.h>

#include <string_view>

// The build hands the version and the commit to this file alone, so that a commit recompiles one
// small file and every other one still comes from the compiler cache.
#ifndef HIVE_VERSION
#error "HIVE_VERSION must be defined by the build"
#endif
#ifndef HIVE_COMMIT
#error "HIVE_COMMIT must be defined by the build"
#endif

namespace hive::cli {

std::string version() {
    return HIVE_VERSION;
}

std::string version_text() {
    constexpr std::string_view commit = HIVE_COMMIT;
    const int pq = PQlibVersion();
    return fmt::format(
        "hive {}{}\n"
        "compiler: {}\n"
        "libraries: Boost {}.{}.{}, fmt {}.{}.{}, yaml-cpp {}, rabbitmq-c {}, libpq {}.{}, {}\n",
        HIVE_VERSION, commit.empty() ? "" : fmt::format(" ({})", commit), __VERSION__,
        BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100,
        FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100, HIVE_YAML_VERSION,
        amqp_version(), pq / 10000, pq % 10000, OpenSSL_version(OPENSSL_VERSION));
}

} // namespace hive::cli
