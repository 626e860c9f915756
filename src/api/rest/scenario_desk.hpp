#pragma once

#include "api/cursor.hpp"
#include "api/rest/transactions.hpp"
#include "api/route.hpp"
#include "scenario/sample.hpp"
#include "scenario/shelf.hpp"

#include <boost/asio/thread_pool.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace hive::rest {

// What a bee of this scenario would hand on. Bees know how; whoever knows them all brings this.
using RenderSample = std::function<Result<std::string>(
    const scenario::Compiled& compiled, const scenario::Sample& sample)>;

// One change of a scenario as values: it may still run when its request has gone.
struct Alteration {
    enum class Where : std::uint8_t { anew, there, either };

    std::string id{};
    std::optional<scenario::Edit> edit{}; // none: the scenario goes
    Where where = Where::there;
    json::object details{}; // for the audit log
    std::optional<std::string> if_match{};
    std::string path{}; // of the request
    std::string request_id{};
};

// The scenarios of a server over HTTP. What only looks at files does so on a thread of its own, so
// that no connection waits for a disk it did not ask about.
class ScenarioDesk {
public:
    struct Parts { // all outlive it
        scenario::Shelf& shelf;
        RenderSample render;
        Transactions& transactions;
        const api::CursorCodec& cursors;
    };
    explicit ScenarioDesk(Parts parts) : parts_{std::move(parts)} {}

    asio::awaitable<http::Response> list(api::Call call);
    asio::awaitable<http::Response> show(api::Call call);
    asio::awaitable<http::Response> create(api::Call call);
    asio::awaitable<http::Response> replace(api::Call call);
    asio::awaitable<http::Response> remove(api::Call call);
    asio::awaitable<http::Response> validate(api::Call call);
    asio::awaitable<http::Response> validate_files(api::Call call);
    asio::awaitable<http::Response> render(api::Call call);
    asio::awaitable<http::Response> download(api::Call call);
    asio::awaitable<http::Response> upload(api::Call call);
    asio::awaitable<http::Response> read_file(api::Call call);
    asio::awaitable<http::Response> write_file(api::Call call);
    asio::awaitable<http::Response> remove_file(api::Call call);

private:
    using Answered = tl::expected<http::Response, api::Problem>;

    // The work captures values, never the call.
    asio::awaitable<http::Response> look(api::Call call, std::function<Answered()> work);
    asio::awaitable<http::Response> alter(api::Call call, Alteration alteration);

    Parts parts_;
    boost::asio::thread_pool threads_{1}; // last: its work uses the parts
};

} // namespace hive::rest
