#include "scenario/compile.hpp"

namespace hive::scenario {
namespace {

Status resolve_text(json::value& value, const SecretSources& sources) {
    const std::string_view text = value.get_string();
    if (text.find("{env:") == text.npos && text.find("{file:") == text.npos) return {};
    const auto secret = resolve_secret(text, sources);
    if (!secret) return fail(secret.error());
    value = json::string{secret->reveal()};
    return {};
}

} // namespace

Status resolve_secrets(json::value& value, const SecretSources& sources) {
    if (auto* object = value.if_object()) {
        for (auto& member : *object) {
            if (auto ok = resolve_secrets(member.value(), sources); !ok) return ok;
        }
    } else if (auto* array = value.if_array()) {
        for (auto& each : *array) {
            if (auto ok = resolve_secrets(each, sources); !ok) return ok;
        }
    } else if (value.is_string()) {
        return resolve_text(value, sources);
    }
    return {};
}

} // namespace hive::scenario
