#pragma once

#include "bees/processor/processor_config.hpp"
#include "call/call.hpp"
#include "kernel/json.hpp"
#include "wire/work_item.hpp"
#include "worker/result_rules.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace hive::bees {

// Turns the payload of an item into a call: `{"method", "path", "headers", "body"}`, as it is or
// within `request`; over TCP the body, or the payload itself where it is no such document. Beside
// the request it may have `resultRules`; over TCP also `behavior`, `endTag` and `maxBytes` in it.
class RequestBuilder {
public:
    static Result<std::unique_ptr<RequestBuilder>> make(const ProcessorConfig& config);

    // Fills target, rules and request of the call. The error says what is wrong with the payload.
    Status build(const wire::WorkItem& item, call::Call& out);
    // How the answer of the call that was built last is to be judged; null: it is not.
    const std::shared_ptr<const worker::ResultJudge>& judge() const noexcept { return judge_; }

private:
    RequestBuilder() = default;
    Status build_http(std::string_view payload, call::Call& out);
    Status build_tcp(std::string_view payload, call::Call& out);
    Status read_http(std::string_view payload);
    Result<std::shared_ptr<const call::Target>> target_of(std::string_view url);
    Status read_judge(const json::value& document);
    Status read_tcp_rules(const json::object& request, call::Call& out);

    std::shared_ptr<const call::TlsClient> tls_{}; // none: nothing needed it so far
    bool offer_http_ = false;
    std::shared_ptr<const call::Target> base_{};
    std::shared_ptr<const call::TcpRules> tcp_{};
    std::string base_path_{}; // without a slash at its end
    bool keep_alive_ = true;
    bool keeps_body_ = true;
    std::shared_ptr<const worker::ResultJudge> usual_judge_{}; // of requests without rules
    std::shared_ptr<const worker::ResultJudge> judge_{};
    std::map<std::string, std::shared_ptr<const worker::ResultJudge>, std::less<>> judges_{};
    std::map<std::string, std::shared_ptr<const call::TcpRules>, std::less<>> tcp_others_{};
    std::map<std::string, std::shared_ptr<const call::Target>, std::less<>> others_{};
    // Most payloads are those before: what they became is kept.
    std::string last_payload_{};
    std::string last_request_{};
    std::shared_ptr<const call::Target> last_target_{};
    std::shared_ptr<const worker::ResultJudge> last_judge_{};
};

} // namespace hive::bees
