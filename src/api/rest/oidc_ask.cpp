#include "api/rest/oidc_ask.hpp"

#include "api/http/await_callback.hpp"

#include <utility>

namespace hive::rest {

boost::asio::awaitable<Result<web::Answer>> ask(web::Client* client, web::Request request) {
    // The client keeps the deadline; this one is for a client that does not.
    const Duration within = request.within + std::chrono::seconds{5};
    auto send = [client, &request](std::function<void(Result<web::Answer>)> done) {
        client->send(std::move(request), std::move(done));
    };
    auto answer = co_await http::await_callback<Result<web::Answer>>(std::move(send), within);
    if (!answer) co_return fail(Errc::timeout, "no answer in time");
    co_return std::move(*answer);
}

} // namespace hive::rest
