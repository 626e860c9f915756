#include "web/client.hpp"

#include <future>
#include <memory>
#include <utility>

namespace hive::web {

Result<Answer> send_and_wait(Client& client, Request request) {
    // Shared: the callback may still be returning from set_value() when get() has returned.
    auto answered = std::make_shared<std::promise<Result<Answer>>>();
    auto answer = answered->get_future();
    client.send(std::move(request), [answered](Result<Answer> result) {
        answered->set_value(std::move(result));
    });
    return answer.get();
}

} // namespace hive::web
