#include "cli/key_access.hpp"

#include "kernel/duration.hpp"
#include "kernel/overloaded.hpp"

namespace hive::cli {
namespace {

std::string path_of(const std::string& id) {
    return "/api/v1/keys/" + percent_encoded(id);
}

Result<json::object> object_of(Result<json::value> value) {
    if (!value) return fail(value.error());
    return std::move(value->as_object());
}

} // namespace

Result<json::object> RemoteKeys::create(const KeyWish& wish) {
    json::object body{{"owner", wish.owner}, {"role", wish.role}};
    if (!wish.kind.empty()) body["kind"] = wish.kind;
    if (!wish.scopes.empty()) body["scopes"] = json::array(wish.scopes.begin(), wish.scopes.end());
    if (wish.valid_for) body["validFor"] = format_duration(*wish.valid_for);
    return object_of(client_.post("/api/v1/keys", body));
}

Result<json::array> RemoteKeys::list(const std::string& owner) {
    json::array all;
    for (std::string cursor;;) {
        auto page =
            client_.get("/api/v1/keys", {{"owner", owner}, {"limit", "1000"}, {"cursor", cursor}});
        if (!page) return fail(page.error());
        for (auto& key : page->at("items").as_array()) all.push_back(std::move(key));
        const auto* next = page->as_object().if_contains("next");
        if (next == nullptr) return all;
        cursor = std::string{next->as_string()};
    }
}

Result<json::object> RemoteKeys::show(const std::string& id) {
    return object_of(client_.get(path_of(id)));
}

Result<json::object> RemoteKeys::rotate(const std::string& id) {
    return object_of(client_.post(path_of(id) + "/rotate"));
}

Result<json::object> RemoteKeys::revoke(const std::string& id) {
    return object_of(client_.remove(path_of(id)));
}

Result<std::unique_ptr<KeyAccess>>
reach_keys(const ReachConfig& config, const Call& call, StoreUse use) {
    using Access = std::unique_ptr<KeyAccess>;
    auto reached = reach(config, call, use);
    if (!reached) return fail(reached.error());
    return std::visit(
        overloaded{
            [](ServerClient& client) -> Access {
                return std::make_unique<RemoteKeys>(std::move(client));
            },
            [](std::unique_ptr<LocalHive>& hive) -> Access {
                return std::make_unique<LocalKeys>(std::move(hive));
            }},
        *reached);
}

} // namespace hive::cli
