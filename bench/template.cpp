// What rendering costs: bodies of about 500 bytes, as a generator renders them for every item.
#include "template/template.hpp"

#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>

using namespace hive;
using namespace hive::templates;

namespace {

std::size_t allocations = 0; // of this program, which has one thread

} // namespace

// Counted, as a render is not to allocate once the context is warm.
void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc{};
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}

namespace {

constexpr int rounds = 200;
constexpr int calls = 2'000;     // per round: short enough to fit between two interruptions
constexpr double demanded = 1e6; // renders a second of the first body

// 500 bytes, five functions.
constexpr std::string_view five_functions = R"({
  "requestId": "{{ uuid() }}",
  "orderNumber": "{{ sequence('order', 'numeric', 'ORD-%08d') }}",
  "createdAt": "{{ date_format(now, 'yyyy-MM-dd''T''HH:mm:ss.SSSXXX') }}",
  "amountInCents": {{ randInt(100, 99999) }},
  "signature": "{{ base64_encode(payload) }}",
  "currency": "EUR",
  "channel": "mobile-application",
  "merchant": {"id": "M-0001-2207", "name": "Corner Shop", "country": "DE", "terminal": "T-17"},
  "customer": {"segment": "retail", "language": "de-DE", "consent": true, "newsletter": false},
  "note": "thank you for your order, come back soon"
}
)";

// The same through eval, and with a digest in place of base64.
constexpr std::string_view five_evals = R"T({
  "requestId": "{{ eval('#uuid()') }}",
  "orderNumber": "{{ eval("#sequence('order', 'numeric', 'ORD-%08d')") }}",
  "createdAt": "{{ eval("#date_format(now, 'yyyy-MM-dd''T''HH:mm:ss.SSSXXX')") }}",
  "amountInCents": {{ eval('#randInt(100, 99999)') }},
  "digest": "{{ eval('#sha256_hex(payload)') }}",
  "currency": "EUR",
  "channel": "mobile-application",
  "merchant": {"id": "M-0001-2207", "name": "Corner Shop", "country": "DE", "terminal": "T-17"},
  "customer": {"segment": "retail", "language": "de-DE", "consent": true},
  "note": "thank you"
}
)T";

constexpr std::string_view from_json = R"({
  "customer": "{{ payloadAsJson.customer.id }}",
  "name": "{{ payloadAsJson.customer.name | upper }}",
  "items": [{% for item in payloadAsJson.items %}{"sku": "{{ item.sku }}"}{%
    if not loop.last %}, {% endif %}{% endfor %}],
  "currency": "EUR",
  "channel": "mobile-application",
  "merchant": {"id": "M-0001-2207", "name": "Corner Shop", "country": "DE", "terminal": "T-17"},
  "express": {{ payloadAsJson.express ? 'true' : 'false' }}
}
)";

constexpr std::string_view order =
    R"({"customer":{"id":"C-1","name":"Ada"},"items":[{"sku":"A"},{"sku":"B"},{"sku":"C"}],"express":true})";

struct Case {
    std::string_view name;
    std::string_view source;
    std::string_view payload;
};

double best_rate(const Template& compiled, Context& context, std::string_view payload) {
    const Timestamp start = *parse_timestamp("2026-01-20T12:00:00.125Z");
    std::string out;
    double best_ns = 1e18;
    for (int round = 0; round < rounds; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; ++i) {
            context.start({.payload = payload, .now = start + std::chrono::microseconds{i}});
            out.clear();
            if (!compiled.render(context, out)) std::abort();
        }
        const std::chrono::duration<double, std::nano> took =
            std::chrono::steady_clock::now() - begin;
        best_ns = std::min(best_ns, took.count() / calls);
    }
    return 1e9 / best_ns;
}

double measure(const Case& wanted) {
    Random random{7};
    LocalSequences sequences;
    SeededStreams streams;
    Context context{{random, sequences, streams}};
    const auto compiled = compile(wanted.source);
    if (!compiled) {
        fmt::print("{}", render(compiled.error()));
        std::exit(1);
    }
    std::string out;
    context.start({.payload = wanted.payload});
    if (!compiled->render(context, out)) std::abort();
    // A second render brings every buffer to its size.
    if (!compiled->render(context, out)) std::abort();
    const std::size_t size = out.size() / 2;
    const std::size_t before = allocations;
    const double rate = best_rate(*compiled, context, wanted.payload);
    fmt::print("  {:<44}{:>8}{:>14.0f}{:>10.0f}\n", wanted.name, size, rate, 1e9 / rate);
    fmt::print("  {:<44}{:>8}\n", "  allocations in all renders", allocations - before);
    return rate;
}

} // namespace

int main() {
    fmt::print(
        "  {:<44}{:>8}{:>14}{:>10}\n", "one core, best of 200 rounds", "bytes", "renders/s", "ns");
    const double rate = measure({"five functions", five_functions, "order 4711"});
    measure({"five evals, one a SHA-256", five_evals, "order 4711"});
    measure({"payload read as JSON, a loop of three", from_json, order});
    measure({"the payload alone", "{{ payload }}", order});
    fmt::print(
        "\nfive functions: {} (demanded: {:.0f})\n", rate >= demanded ? "ok" : "TOO SLOW",
        demanded);
    return rate >= demanded ? 0 : 1;
}
