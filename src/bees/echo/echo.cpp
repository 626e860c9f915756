#include "bees/echo/echo.hpp"

#include "worker/kind.hpp"

namespace hive::bees {
namespace {

struct EchoConfig {
    std::string text{};
};

void describe(FieldTable& fields, EchoConfig& config) {
    fields.add("text", config.text).help("What it adds to each payload");
}

Status work(const EchoConfig& config, worker::Item& item) {
    item.become(std::string{item.payload()} + config.text, item.whole().payload_encoding());
    return {};
}

} // namespace

worker::BeeKind echo() {
    return worker::simple_bee<EchoConfig>("echo", work);
}

} // namespace hive::bees
