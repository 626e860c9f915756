#pragma once

#include "kernel/result.hpp"
#include "store/value.hpp"

#include <libpq-fe.h>

#include <array>
#include <string>
#include <vector>

namespace hive::store::postgres {

// Values in PostgreSQL's binary format. Borrows text and bytes of the parameters.
class Parameters {
public:
    explicit Parameters(Params params);

    int count() const { return static_cast<int>(types_.size()); }
    const Oid* types() const { return types_.data(); }
    const char* const* values() const { return values_.data(); }
    const int* lengths() const { return lengths_.data(); }
    const int* formats() const { return formats_.data(); }

    // One letter per parameter: a prepared statement is bound to the types of its parameters.
    const std::string& signature() const { return signature_; }

private:
    std::vector<Oid> types_;
    std::vector<const char*> values_;
    std::vector<int> lengths_;
    std::vector<int> formats_;
    std::vector<std::array<char, 8>> numbers_; // never grows after construction: values_ points in
    std::string signature_;
};

// The value of one column; borrows from the result. Fails on a type that has no place in Value.
Result<Value> column_of(const PGresult& result, int row, int column);

} // namespace hive::store::postgres
