// How long the CPU machine needs to train lesson 23's network: `cudalab run --fast` on 4_mlp.cu, batch 64, 784-256-10, with
// MNIST where `cudalab data mnist` has put it, else with as many generated digits. Prints what the program prints, then the
// seconds on the clock and of all cores together, compiling included.
//
//     build/mlp_epoch [EPOCHS]
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "workbench/data/store.h"
#include "workbench/lessons/lesson.h"

namespace fs = std::filesystem;

namespace {

double seconds_of_children() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// A folder with the four files.
fs::path data_folder_of(const fs::path& scratch) {
    const lab::TrainingData data = lab::best_dataset();
    fmt::print("{}\n", data.sentence);
    if (data.real) return lab::store_folder("mnist");
    lab::write_dataset(data.dataset, scratch);
    return scratch;
}

}  // namespace

int main(int argc, char** argv) {
    const int epochs = argc > 1 ? std::atoi(argv[1]) : 1;
    if (epochs < 1) {
        fmt::print(stderr, "usage: mlp_epoch [EPOCHS], a number from 1 on.\n");
        return 2;
    }
    const fs::path scratch = fs::temp_directory_path() / fmt::format("cudalab-bench-{}", getpid());
    const fs::path program = lab::find_home().content / "lessons/23_mlp_train/stages/4_mlp.cu";
    const std::string command = fmt::format("'" CUDALAB "' run --fast '{}' -- '{}' 64 {}", program.string(),
                                            data_folder_of(scratch).string(), epochs);
    std::fflush(stdout);
    const auto start = std::chrono::steady_clock::now();
    const int status = std::system(command.c_str());
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print("{:.1f} s, {:.1f} s of all cores together\n", wall, seconds_of_children());
    std::error_code none;
    fs::remove_all(scratch, none);
    return status == 0 ? 0 : 1;
}
