#include <fmt/format.h>

#include <algorithm>

#include "tests/contract/contract.h"

namespace lab {

void print_table(const std::vector<Check>& checks) {
    size_t what = 4, wanted = 6;
    for (const Check& check : checks) {
        what = std::max(what, check.what.size());
        wanted = std::max(wanted, std::min<size_t>(check.wanted.size(), 50));
    }
    fmt::print("       {:<{}}  {:<{}}  came\n", "what", what, "wanted", wanted);
    for (const Check& check : checks) {
        fmt::print("{}  {:<{}}  {:<{}}  {}", check.holds ? "ok    " : "FAILED", check.what, what,
                   check.wanted, wanted, check.came);
        if (check.seconds > 0) fmt::print("  ({:.2f} s)", check.seconds);
        fmt::print("\n");
    }
}

}  // namespace lab
