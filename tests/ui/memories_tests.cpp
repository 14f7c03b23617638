// The figure of the memories: it grows from lesson to lesson, and knows the run and its card.
#include <doctest/doctest.h>

#include "app/panels/memories.h"
#include "tests/ui/driver.h"

namespace {

std::shared_ptr<lab::RunBundle> run_on(const std::string& card) {
    auto bundle = std::make_shared<lab::RunBundle>();
    lab::Run& run = bundle->run;
    run.cases = {{"first", true, "", 0, ""}, {"second", true, "", 0, ""}};
    lab::Kernel kernel;
    kernel.name = "transpose_kernel";
    kernel.shared_bytes = 4224;
    kernel.status = "ok";
    kernel.case_index = 0;
    run.kernels = {kernel};
    bundle->traces.resize(run.cases.size());
    for (const auto& [name, space, bytes] :
         {std::tuple("in", "global", 4096), {"out", "global", 4096}, {"x", "managed", 65536}})
        run.buffers.push_back({name, space, 0x1000, uint64_t(bytes), 4, {}, 0});
    run.devices = {
        {card,
         {1024, 1024, 64},
         {2147483647, 65535, 65535},
         {{"threads_per_block", 1024}, {"warp_size", 32}, {"sm_count", 40}, {"shared_per_block", 49152}},
         0}};
    return bundle;
}

const lab::Memories::Row* row_of(const lab::Memories& panel, const std::string& name) {
    for (const auto& row : panel.rows())
        if (row.name == name) return &row;
    return nullptr;
}

}  // namespace

TEST_CASE("The figure of the memories has the rows of the lessons so far, and marks the new ones") {
    const auto run = run_on("Tesla T4");
    lab::Memories early, later;
    early.configure({{"until", "04"}});
    early.load(*run);
    later.configure({{"until", "05"}});
    later.load(*run);
    CHECK(row_of(early, "shared memory") == nullptr);
    REQUIRE(row_of(early, "__device__ variable") != nullptr);
    CHECK(row_of(early, "__device__ variable")->is_new);
    CHECK_FALSE(row_of(later, "__device__ variable")->is_new);
    REQUIRE(row_of(later, "shared memory") != nullptr);
    CHECK(row_of(later, "shared memory")->is_new);
    CHECK(later.rows().size() == early.rows().size() + 1);
}

TEST_CASE("Lesson 06 adds constant memory and textures to the figure, with what the run keeps in them") {
    auto run = run_on("Tesla T4");
    run->run.buffers.push_back({"c_weights", "constant", 0x9000, 260, 4, {}, 0});
    run->run.buffers.push_back({"picture_array", "array", 0xa000, 80, 4, {}, 0});
    lab::Memories panel;
    panel.configure({{"until", "06"}});
    panel.load(*run);
    for (const auto& [name, in_run] :
         {std::pair{"constant memory", "c_weights, 260 bytes"}, {"texture", "picture_array, 80 bytes"}}) {
        REQUIRE(row_of(panel, name) != nullptr);
        CHECK(row_of(panel, name)->is_new);
        CHECK(row_of(panel, name)->in_run == in_run);
    }
}

TEST_CASE("The figure of the memories tells what the run keeps where, and what its card allows") {
    const auto run = run_on("Tesla T4");
    lab::Memories panel;
    panel.load(*run);
    CHECK(row_of(panel, "global memory")->in_run == "in and out, 4 KiB each");
    CHECK(row_of(panel, "shared memory")->in_run == "4.125 KiB a block of transpose_kernel");
    CHECK(row_of(panel, "shared memory")->size == "48 KiB a block");
    CHECK(row_of(panel, "managed memory")->in_run == "x, 64 KiB");
    CHECK(row_of(panel, "constant memory")->in_run == "none");
    CHECK(panel.limits().find("1024, 1024 and 64 in x, y and z") != std::string::npos);
    CHECK(panel.limits().find("2,147,483,647 blocks in x, and 65,535") != std::string::npos);
    CHECK(panel.limits().find("40 multiprocessors") != std::string::npos);
}
