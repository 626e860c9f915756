#include "runtime/answer.hpp"

#include <mutex>

namespace hive::runtime {
namespace {

struct Gathered {
    std::mutex mutex{};
    std::size_t awaited = 0;
    Status first{};
};

} // namespace

Runtime::Done gather(std::size_t count, AnswerPtr answer) {
    auto gathered = std::make_shared<Gathered>();
    gathered->awaited = count;
    return [gathered, answer = std::move(answer)](const Status& status) {
        Status result;
        {
            const std::lock_guard lock{gathered->mutex};
            if (!status && gathered->first) gathered->first = status;
            if (--gathered->awaited > 0) return;
            result = gathered->first;
        }
        answer->tell(std::move(result));
    };
}

} // namespace hive::runtime
