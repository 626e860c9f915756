#include "cli/failure.hpp"

#include "cli/exit_code.hpp"
#include "kernel/text.hpp"

namespace hive::cli {

int report(Host& host, const Error& error) {
    constexpr std::size_t bytes_max = 4000;
    host.out.flush(); // what was printed so far stands before it
    host.err << "error: " << printable(error.detail, bytes_max) << '\n';
    return error.code == Errc::invalid ? exit_bad_input : exit_failed;
}

} // namespace hive::cli
