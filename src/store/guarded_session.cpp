#include "store/guarded_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>

namespace hive::store {
namespace {

bool ends_a_transaction(std::string_view sql) {
    constexpr std::array<std::string_view, 10> words{"BEGIN",     "COMMIT",  "END",     "ROLLBACK",
                                                     "SAVEPOINT", "RELEASE", "PREPARE", "ABORT",
                                                     "START",     "VACUUM"};
    const std::size_t first = sql.find_first_not_of(" \t\r\n");
    if (first == sql.npos) return false;
    const std::string_view rest = sql.substr(first);
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n;"));
    return std::ranges::any_of(words, [&](std::string_view forbidden) {
        return std::ranges::equal(word, forbidden, [](char a, char b) {
            return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
        });
    });
}

} // namespace

Status GuardedSession::admit(std::string_view sql) {
    if (!status_) return status_;
    if (in_query_) {
        status_ = fail(
            Errc::invalid, "a session was used from inside a row handler; collect the rows first");
    } else if (ends_a_transaction(sql)) {
        status_ = fail(
            Errc::invalid,
            fmt::format("'{}': the store begins and ends transactions, units do not", sql));
    }
    return status_;
}

Result<std::int64_t> GuardedSession::execute(std::string_view sql, Params params) {
    if (auto ok = admit(sql); !ok) return fail(ok.error());
    auto changed = inner_.execute(sql, params);
    if (!changed) status_ = fail(changed.error());
    return changed;
}

Status GuardedSession::query(std::string_view sql, Params params, const RowHandler& each) {
    if (auto ok = admit(sql); !ok) return ok;
    in_query_ = true;
    const Status status = inner_.query(sql, params, each);
    in_query_ = false;
    if (status_ && !status) status_ = status;
    return status_;
}

Status run_work(const Work& work, Session& session) {
    GuardedSession guarded{session};
    try {
        if (Status status = work(guarded); !status) return status;
    } catch (const std::exception& problem) {
        return fail(Errc::unavailable, fmt::format("a unit of work broke off: {}", problem.what()));
    }
    return guarded.status();
}

} // namespace hive::store
