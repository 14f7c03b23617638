// Kernels that become void pointers: `(void*)kernel`  ->  `(void*)::simt::kernel_pointer("kernel", kernel)`, so that the
// machine knows what such a pointer launches.
#include <algorithm>
#include <set>

#include "simt/frontend/rewriter.h"

namespace simt::frontend {
namespace {

// The position of the kernel among the arguments of an API function; none: it launches nothing.
size_t kernel_argument(std::string_view function) {
    if (function == "cudaLaunchKernel" || function == "cudaLaunchCooperativeKernel") return 0;
    if (function == "cudaLaunchKernelEx" || function == "cudaLaunchKernelExC") return 1;
    return none;
}

class KernelPointers {
  public:
    KernelPointers(Rewriter& rewriter, const Stream& stream)
        : rewriter_(rewriter), stream_(stream), t_(stream.tokens) {}

    void run() {
        for (size_t i = stream_.first; i + 1 < t_.size(); i++)
            if (t_.is_identifier(i) && t_.is(i + 1, "(") && kernel_argument(t_.spelling(i)) != none) call(i);
        for (size_t i = stream_.first + 1; i < t_.size(); i++)
            if (t_.is_identifier(i)) cast(i);
    }

  private:
    // What is cast in the place of a kernel's pointer is one, by whatever name.
    void call(size_t name) {
        const size_t close = t_.partner(name + 1);
        if (close == none) return;
        const auto arguments = t_.split_commas(name + 2, close, true);
        const size_t position = kernel_argument(t_.spelling(name));
        if (position >= arguments.size()) return;
        const Tokens::Range given = arguments[position], kernel = without_casts(given);
        if (kernel.first == given.first || kernel.first >= kernel.last) return;
        if (!t_.is(kernel.first, "__VA_ARGS__")) wrap(kernel);
    }

    Tokens::Range without_casts(Tokens::Range r) const {
        for (;;) {
            const std::string_view s = t_.spelling(r.first);
            if (s == "(" && t_.partner(r.first) != none && t_.partner(r.first) < r.last) {
                const size_t close = t_.partner(r.first);
                if (close + 1 == r.last) return without_casts({r.first + 1, close});
                r.first = close + 1;
            } else if (s == "reinterpret_cast" || s == "static_cast") {
                const size_t angle = t_.angle_partner(r.first + 1);
                if (angle == none || !t_.is(angle + 1, "(") || t_.partner(angle + 1) == none) return r;
                r = {angle + 2, t_.partner(angle + 1)};
            } else {
                return r;
            }
            if (r.first >= r.last) return r;
        }
    }

    // The name of a kernel right behind a cast to void*.
    void cast(size_t name) {
        if (!is_kernel_name(t_.spelling(name))) return;
        size_t first = name;
        std::string qualified(t_.spelling(name));
        while (first >= stream_.first + 2 && t_.is(first - 1, "::") && t_.is_identifier(first - 2)) {
            first -= 2;
            qualified = std::string(t_.spelling(first)) + "::" + qualified;
        }
        if (first > stream_.first && t_.is(first - 1, "&")) first--;
        if (first <= stream_.first || !ends_cast(first - 1)) return;
        const Function* around = stream_.macro == nullptr ? rewriter_.scan.function_around(name) : nullptr;
        const auto kernels = kernels_named(rewriter_, qualified, around != nullptr ? around->scope : "");
        if (kernels.size() != 1) return;
        size_t end = name + 1;
        if (t_.is(end, "<") && t_.angle_partner(end) != none)
            end = t_.angle_partner(end) + 1;
        else if (kernels[0].is_template)
            return;
        wrap({first, end});
    }

    bool is_kernel_name(std::string_view name) const {
        const auto is = [&](const Kernel& k) { return k.name == name; };
        const auto &here = rewriter_.scan.kernels, &known = rewriter_.options.known.kernels;
        return std::any_of(here.begin(), here.end(), is) || std::any_of(known.begin(), known.end(), is);
    }

    // `(void*)`, `(const void*)`, `reinterpret_cast<void*>(`
    bool ends_cast(size_t i) const {
        if (t_.is(i, ")") && t_.partner(i) != none) return is_void_pointer(t_.partner(i) + 1, i);
        if (!t_.is(i, "(") || i < stream_.first + 3 || !t_.is(i - 1, ">")) return false;
        const size_t open = t_.angle_partner_back(i - 1);
        return open != none && open > stream_.first && t_.is(open - 1, "reinterpret_cast") &&
               is_void_pointer(open + 1, i - 1);
    }

    bool is_void_pointer(size_t first, size_t last) const {
        size_t stars = 0, voids = 0;
        for (size_t i = first; i < last; i++) {
            const std::string_view s = t_.spelling(i);
            stars += s == "*";
            voids += s == "void";
            if (s != "*" && s != "void" && s != "const") return false;
        }
        return stars == 1 && voids == 1;
    }

    void wrap(Tokens::Range kernel) {
        if (!wrapped_.insert(kernel.first).second) return;
        const bool in_macro = stream_.macro != nullptr;
        const size_t begin = t_[kernel.first].begin, end = t_[kernel.last - 1].end;
        Edit head(t_.file(), begin, begin, in_macro);
        const size_t name = t_.is(kernel.first, "&") ? kernel.first + 1 : kernel.first;
        head.add("::simt::kernel_pointer(" + stream_.literal(name, kernel.last) + ", ");
        rewriter_.edits.push_back(std::move(head));
        Edit tail(t_.file(), end, end, in_macro);
        tail.add(")", begin);
        rewriter_.edits.push_back(std::move(tail));
    }

    Rewriter& rewriter_;
    const Stream& stream_;
    const Tokens& t_;
    std::set<size_t> wrapped_;  // first tokens
};

}  // namespace

void rewrite_kernel_pointers(Rewriter& rewriter, const Stream& stream) {
    KernelPointers(rewriter, stream).run();
}

}  // namespace simt::frontend
