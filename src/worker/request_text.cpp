#include "worker/request_text.hpp"

#include "kernel/json.hpp"

#include <algorithm>

namespace hive::worker {

bool RequestText::is_constant() const {
    return parts_.method.is_constant() && parts_.path.is_constant() &&
           (!parts_.body || parts_.body->is_constant()) &&
           std::ranges::all_of(parts_.headers, [](const RequestParts::Header& each) {
               return each.value.is_constant();
           });
}

Status RequestText::add(Renderer& renderer, const templates::Template& text, std::string& out) {
    buffer_.clear();
    if (auto ok = renderer.render(text, buffer_); !ok) return ok;
    append_json_string(out, buffer_);
    return {};
}

Status RequestText::render_line(Renderer& renderer, std::string& out) {
    if (parts_.protocol == Protocol::tcp) {
        out += R"({"kind":"tcp.request","request":{)";
        return {};
    }
    out += R"({"kind":"http.request","request":{"method":)";
    if (auto ok = add(renderer, parts_.method, out); !ok) return ok;
    out += R"(,"path":)";
    if (auto ok = add(renderer, parts_.path, out); !ok) return ok;
    out += ',';
    return {};
}

Status RequestText::render_headers(Renderer& renderer, std::string& out) {
    out += R"("headers":{)";
    for (std::size_t i = 0; i < parts_.headers.size(); ++i) {
        if (i > 0) out += ',';
        append_json_string(out, parts_.headers[i].name);
        out += ':';
        if (auto ok = add(renderer, parts_.headers[i].value, out); !ok) return ok;
    }
    out += '}';
    return {};
}

Status RequestText::render(Renderer& renderer, std::string& out) {
    if (constant_) {
        out += *constant_;
        return {};
    }
    const std::size_t begin = out.size();
    if (auto ok = render_line(renderer, out); !ok) return ok;
    if (auto ok = render_headers(renderer, out); !ok) return ok;
    if (parts_.body) {
        out += R"(,"body":)";
        if (auto ok = add(renderer, *parts_.body, out); !ok) return ok;
    }
    if (!parts_.more.empty()) {
        out += ',';
        out += parts_.more;
    }
    out += '}';
    if (!parts_.and_more.empty()) {
        out += ',';
        out += parts_.and_more;
    }
    out += '}';
    if (is_constant()) constant_ = out.substr(begin);
    return {};
}

} // namespace hive::worker
