#pragma once

#include "store/database.hpp"

#include <optional>
#include <type_traits>
#include <utility>

namespace hive::store {

// For command lines and tests: runs a unit and blocks until it is done. The store ends every unit
// in bounded time, so this does too. Never call it from a unit or a completion: that is the
// thread it would wait for (asserted).
Status write_and_wait(Database& database, Unit unit);
Status read_and_wait(Database& database, Unit unit);

template <class F>
concept ValueWork = requires(F& work, Session& session) { *work(session); } &&
                    !std::is_void_v<decltype(*std::declval<std::invoke_result_t<F&, Session&>>())>;

// The unit that keeps the Result<T> of `work` in `answer`: that of the last run, the one that
// counts.
template <ValueWork F, class Answer = std::invoke_result_t<F&, Session&>>
Unit keeping(F& work, std::optional<Answer>& answer, Duration within) {
    return {
        .work = [&](Session& session) -> Status {
            answer.emplace(work(session));
            if (!*answer) return fail(answer->error());
            return {};
        },
        .within = within};
}

// As above for work that returns Result<T>.
template <ValueWork F, class Answer = std::invoke_result_t<F&, Session&>>
Answer write_for(Database& database, F work, Duration within = Unit{}.within) {
    std::optional<Answer> answer;
    if (auto ok = write_and_wait(database, keeping(work, answer, within)); !ok) {
        return fail(ok.error());
    }
    return std::move(*answer);
}

template <ValueWork F, class Answer = std::invoke_result_t<F&, Session&>>
Answer read_for(Database& database, F work, Duration within = Unit{}.within) {
    std::optional<Answer> answer;
    if (auto ok = read_and_wait(database, keeping(work, answer, within)); !ok) {
        return fail(ok.error());
    }
    return std::move(*answer);
}

} // namespace hive::store
