// Which programs keep the compiler's freedom to leave out copies.
#include <doctest/doctest.h>

#include <string>

#include "simt/frontend/elision.h"

namespace {

bool relies(const std::string& source) {
    return simt::frontend::relies_on_elision(simt::frontend::Scan(source));
}

}  // namespace

TEST_SUITE("frontend elision") {
    TEST_CASE("a class that cleans up and doesn't say how it is copied may rely on elision") {
        CHECK(relies("struct Buffer { int* data; ~Buffer() { cudaFree(data); } };"));
        CHECK(
            relies("template <class T> class Buffer { T* d; public: explicit Buffer(int n); ~Buffer(); };"));
        CHECK(relies("struct A { A(const A&); ~A(); }; struct B { B(int, const B&); ~B(); };"));
    }

    TEST_CASE("one that says how it is copied or moved does not, nor does a plain struct") {
        CHECK_FALSE(relies("struct Range { int first, last; }; Range f(int i) { return {i, ~(i)}; }"));
        CHECK_FALSE(relies("struct A { A(const A& other); ~A(); };"));
        CHECK_FALSE(relies("struct A { A(A&& other); ~A(); };"));
        CHECK_FALSE(relies("template <class T> struct A { A(A<T> const& other) = delete; ~A(); };"));
        CHECK_FALSE(relies("struct mask { int bits; }; int f(int m) { return ~mask_of(m); }"));
    }
}
