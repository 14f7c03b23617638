// A target with a fault, to see that the loop of driver.cpp finds one: the test passes when this program
// fails.
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (text.find("<<<") != text.npos && text.find("+++") != text.npos) std::abort();
    return 0;
}
