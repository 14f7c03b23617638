// assets/devices: every profile is complete, its numbers fit each other, and the device properties show them.
#include <doctest/doctest.h>

#include <toml++/toml.h>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <regex>

namespace fs = std::filesystem;

TEST_CASE("every device profile has every number, each with its source") {
    size_t profiles = 0;
    for (const auto& entry : fs::directory_iterator(DEVICES_DIR)) {
        if (entry.path().extension() != ".toml") continue;
        ++profiles;
        INFO(entry.path().filename().string());
        const toml::table t = toml::parse_file(entry.path().string());
        CHECK_FALSE(t["name"].value_or(std::string()).empty());
        for (const char* key :
             {"major", "sm_count", "global_bytes", "shared_per_block", "shared_per_block_optin",
              "shared_per_sm", "constant_bytes", "l2_bytes", "registers_per_block", "registers_per_sm",
              "threads_per_sm", "blocks_per_sm", "threads_per_block", "clock_khz", "memory_clock_khz",
              "memory_bus_bits", "fp32_per_sm"})
            CHECK_MESSAGE(t[key].value_or(int64_t{0}) > 0, key);
        for (const char* key : {"minor", "reserved_shared_per_block"})
            CHECK_MESSAGE(t[key].value_or(int64_t{-1}) >= 0, key);
        const auto number = [&](const char* key) { return t[key].value_or(int64_t{0}); };
        CHECK(number("shared_per_block") <= number("shared_per_block_optin"));
        CHECK(number("shared_per_block_optin") + number("reserved_shared_per_block") ==
              number("shared_per_sm"));
        CHECK(number("threads_per_sm") % 32 == 0);
        CHECK(number("threads_per_sm") >= number("threads_per_block"));
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line);)
            if (line.find(" = ") != line.npos && line[0] != '#' && line.rfind("name", 0) != 0)
                CHECK_MESSAGE(line.find("# ") != line.npos, line);
    }
    CHECK(profiles == 6);
}
