#include "api/rest/oidc_github.hpp"

#include "api/rest/oidc_ask.hpp"

#include <fmt/format.h>

#include <utility>

namespace hive::rest {

namespace asio = boost::asio;

asio::awaitable<Result<accounts::Provider>> GitHubProvider::describe() {
    co_return accounts::github_provider(addresses_);
}

asio::awaitable<Result<std::string>> GitHubProvider::get(std::string path, Secret access_token) {
    web::Request request{
        .url = addresses_.api + path,
        .headers =
            {{"Authorization", fmt::format("Bearer {}", access_token.reveal())},
             {"Accept", "application/vnd.github+json"},
             {"X-GitHub-Api-Version", "2022-11-28"}},
        .within = answer_within_};
    auto answer = co_await ask(&client_, std::move(request));
    if (!answer) co_return fail(std::move(answer.error()));
    if (answer->status == 200) co_return std::move(answer->body);
    const bool refused = answer->status == 401 || answer->status == 404;
    co_return fail(
        refused ? Errc::denied : Errc::unavailable,
        fmt::format("GitHub answered {} with status {}", path, answer->status));
}

asio::awaitable<Result<accounts::Identity>>
GitHubProvider::identify(accounts::Tokens tokens, std::string) {
    if (tokens.access.empty()) co_return fail(Errc::denied, "GitHub gave no access token");
    const auto user = co_await get("/user", tokens.access);
    if (!user) co_return fail(user.error());
    const auto emails = co_await get("/user/emails", tokens.access);
    if (!emails) co_return fail(emails.error());
    co_return accounts::github_identity(*user, *emails);
}

} // namespace hive::rest
