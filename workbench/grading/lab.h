// What a lesson's grader.cpp includes. A grader is a few doctest cases; each case plays the learner's function in
// processes of their own (one a thread order), with buffers whose contents this process checks afterwards.
//
//   #include "workbench/grading/lab.h"
//   #include "lessons/01_hello_threads/interface.h"
//   TEST_SUITE_BEGIN("01_hello_threads");
//   TEST_CASE("every element holds its own index (n = 1000, blocks of 256)") {
//       lab::Trial trial;
//       auto out = trial.output<int>("out", 1000);
//       trial.play([&](lab::Player& player) {
//           return player.call(fill_index, "fill_index", player.device(out), 1000, 256);
//       });
//       LAB_EXPECT_OK(trial);                                      // it returned cudaSuccess and did not crash
//       LAB_EXPECT_EACH(trial, out, [](size_t i) { return int(i); });
//       LAB_EXPECT_CLEAN(trial);                                   // no finding of severity error
//   }
//
// The same source serves every backend; nothing here names one.
#pragma once

#include <doctest/doctest.h>
