// Grading one lesson: compile the file, start the referee, assemble the Run. What `cudalab grade`, the
// contract tests and a class's batch grading share.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "workbench/lessons/experiment.h"
#include "workbench/lessons/lesson.h"
#include "workbench/record/run.h"

namespace lab {

enum class Backend {
    cpu,   // the CPU machine
    cuda,  // nvcc and the GPU of this computer; what fails there is explained by the CPU machine
    both,  // the CPU machine, and the GPU, where there is one, for a second verdict
};

struct GradeRequest {
    std::string slug;
    Backend backend = Backend::cpu;
    std::filesystem::path file;            // empty: the learner's exercise
    std::string only_case;                 // a doctest filter (* matches anything); empty: all cases
    std::optional<Experiment> experiment;  // play the lesson's experiment in place of its cases
    bool timing =
        false;  // play what a GPU is timed with in place of the cases; on the CPU machine it is small
    // Where all cases pass on a GPU: the times there, beside the solution's and the card's ceilings (Run::times). The
    // first time on a card they take seconds longer.
    bool times = false;
    bool traces = true;
    std::filesystem::path
        live;  // a file for what an experiment reports while it runs (record/series.h); empty: none
    bool publish = false;  // leave the Run where the app looks for it: latest_run_path(slug)
    bool use_compile_cache = true;
    double seconds = 120;  // for the referee, all cases together
};

// Never throws for what a learner can do wrong; std::runtime_error with a sentence when cudalab itself is
// incomplete, or Backend::cuda is asked for where no exercise can run on a GPU. Places in the Run name files by their absolute paths.
Run grade(const Home& home, const GradeRequest& request);

// The Run of the newest grading of the learner's exercise. It is replaced whole, after its traces are there.
std::filesystem::path latest_run_path(const std::string& slug);

}  // namespace lab
