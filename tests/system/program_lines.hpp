#pragma once

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

namespace hive::test {

// A program whose lines we read; it ends by itself.
class ProgramLines {
public:
    explicit ProgramLines(const std::string& command)
        : output_{::popen(command.c_str(), "r"), ::pclose} {
        if (output_ == nullptr) throw std::runtime_error{"cannot start " + command};
    }

    std::string next() {
        std::string text;
        for (int c = std::fgetc(output_.get()); c != EOF && c != '\n';
             c = std::fgetc(output_.get())) {
            text += static_cast<char>(c);
        }
        return text;
    }

private:
    std::unique_ptr<FILE, int (*)(FILE*)> output_;
};

} // namespace hive::test
