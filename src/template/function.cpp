#include "template/function.hpp"

#include "kernel/text.hpp"
#include "template/function_groups.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace hive::templates {
namespace {

struct All {
    std::vector<Function> functions;
    std::array<std::size_t, 4> starts{}; // of each table, and the end

    All() {
        const auto add = [&](std::span<const Function> group) {
            functions.insert(functions.end(), group.begin(), group.end());
        };
        add(chance_functions());
        add(digest_functions());
        add(time_functions());
        add(sequence_functions());
        add(search_functions());
        add(number_functions());
        starts[1] = functions.size();
        add(text_filters());
        add(list_filters());
        add(number_filters());
        starts[2] = functions.size();
        add(value_tests());
        starts[3] = functions.size();
    }
    std::span<const Function> of(Table table) const {
        const auto i = static_cast<std::size_t>(table);
        return std::span{functions}.subspan(starts[i], starts[i + 1] - starts[i]);
    }
};

const All& all() {
    static const All made;
    return made;
}

} // namespace

std::span<const Function> all_functions() {
    return all().functions;
}

std::optional<std::size_t> find_function(Table table, std::string_view name) {
    const auto of_table = all().of(table);
    const auto found = std::ranges::find(of_table, name, &Function::name);
    if (found == of_table.end()) return std::nullopt;
    return static_cast<std::size_t>(&*found - all().functions.data());
}

std::optional<std::string> nearest_function(Table table, std::string_view name) {
    std::vector<std::string_view> names;
    for (const Function& function : all().of(table)) names.push_back(function.name);
    if (table == Table::function) names.emplace_back("eval");
    return nearest(name, names);
}

} // namespace hive::templates
