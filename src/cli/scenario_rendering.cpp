#include "cli/scenario_rendering.hpp"

#include "bees/generator/message.hpp"
#include "bees/http_builder/template_set.hpp"
#include "kernel/text.hpp"
#include "wire/work_item.hpp"
#include "worker/job.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

const json::object* find_bee(const scenario::Compiled& compiled, std::string_view id) {
    for (const auto& bee : compiled.bees.at("bees").as_array()) {
        if (bee.at("id").as_string() == id) return &bee.as_object();
    }
    return nullptr;
}

wire::WorkItem item_of(const scenario::Sample& sample, const json::object& config) {
    wire::WorkItem item;
    for (const auto& [name, value] : sample.headers) item.headers.set(name, value);
    if (const auto* vars = config.if_contains("vars")) {
        item.headers.set("vars", wire::HeaderValue::json(to_text(*vars)));
    }
    item.add_step({.payload = sample.payload}, {});
    return item;
}

std::string_view text_in(const json::object& config, std::string_view name) {
    const auto* text = config.if_contains(name);
    return text != nullptr && text->is_string() ? std::string_view{text->get_string()} : "";
}

class Rendering {
public:
    Rendering(const scenario::Sample& sample, const Clock& clock)
        : renderer_{sample.seed}, clock_{clock} {}

    Result<std::string> message(const json::object& config, wire::WorkItem& item) {
        const auto* given = config.if_contains("message");
        auto settings = bind<bees::MessageConfig>(
            given != nullptr && given->is_object() ? given->get_object() : json::object{},
            "message");
        if (!settings) return fail(settings.error());
        auto message = bees::Message::compile(*settings);
        if (!message) return fail(message.error());
        return render(*message, item);
    }

    Result<std::string> call(const json::object& config, wire::WorkItem& item) {
        auto set = bees::TemplateSet::load(std::string{text_in(config, "templateRoot")});
        if (!set) return fail(set.error());
        auto service = item.headers.text("x-ph-service-id");
        if (service.empty()) service = text_in(config, "serviceId");
        if (service.empty()) service = "default";
        const auto call = item.headers.text("x-ph-call-id");
        auto* found = set->find(service, call);
        if (found == nullptr) {
            return fail(
                Errc::invalid, fmt::format(
                                   "no template for call '{}' of service '{}'; choose one with "
                                   "the header x-ph-call-id",
                                   printable(call), printable(service)));
        }
        return render(found->request, item);
    }

    // What the interceptor makes of the payload before the bee sees it.
    Status intercept(const json::object& config, wire::WorkItem& item) {
        const auto* interceptors = config.if_contains("interceptors");
        const auto* templating = interceptors != nullptr && interceptors->is_object()
                                     ? interceptors->get_object().if_contains("templating")
                                     : nullptr;
        if (templating == nullptr || !templating->is_object()) return {};
        const auto text =
            worker::compile_setting(text_in(templating->get_object(), "template"), "template");
        if (!text) return fail(text.error());
        renderer_.look_at(item, clock_.wall());
        wire::Step step;
        if (auto ok = renderer_.render(*text, step.payload); !ok) return ok;
        item.add_step(std::move(step), {});
        return {};
    }

private:
    template <class Template>
    Result<std::string> render(Template& text, wire::WorkItem& item) {
        std::string out;
        renderer_.look_at(item, clock_.wall());
        if (auto ok = text.render(renderer_, out); !ok) return fail(ok.error());
        return out;
    }

    worker::Renderer renderer_;
    const Clock& clock_;
};

Result<std::string>
render_bee(const scenario::Sample& sample, const json::object& bee, const Clock& clock) {
    const json::object& config = bee.at("config").as_object();
    auto item = item_of(sample, config);
    Rendering rendering{sample, clock};
    if (auto ok = rendering.intercept(config, item); !ok) return fail(ok.error());
    const std::string_view role = bee.at("role").as_string();
    if (role == "generator" || role == "data-provider") return rendering.message(config, item);
    if (role == "http-builder" || role == "request-builder") return rendering.call(config, item);
    return fail(
        Errc::invalid, fmt::format("bee '{}' is a {}, which renders no message", sample.bee, role));
}

} // namespace

Result<std::string> render_sample(
    const scenario::Compiled& compiled, const scenario::Sample& sample, const Clock& clock) {
    const json::object* bee = find_bee(compiled, sample.bee);
    if (bee != nullptr) return render_bee(sample, *bee, clock);
    std::string known;
    for (const auto& crew : compiled.crews) known += (known.empty() ? "" : ", ") + crew.bee;
    return fail(
        Errc::invalid,
        fmt::format("there is no bee '{}'; there are {}", printable(sample.bee), known));
}

} // namespace hive::cli
