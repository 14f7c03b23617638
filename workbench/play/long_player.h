// A player that plays many trials: for a machine whose start is dear (a GPU's context takes a few tenths of a second,
// libsimt.so nothing).
//
// It is forked where the first trial is played, and then runs through the grader's cases on its own, beside its
// parent: both make the same arrays, come to the same `play`, and go the same way after it, for both know what came of
// it. Only the parent's verdict counts. At each `play` the player waits until its parent is there, too, and then runs
// the learner's code, which it loads anew. Where the two part ways, or the player dies, a new one is forked.
//
// What is NOT protected, beyond player.h: once unloaded, the learner's code should be gone; a thread that it has left
// behind could see what the grader expects. And there is no seccomp filter, which a GPU's driver could not live with.
// A verdict that matters is the CPU machine's.
#pragma once

#include <memory>
#include <string>

#include "workbench/play/player.h"

namespace lab {

class LongPlayer {
  public:
    LongPlayer();
    ~LongPlayer();
    LongPlayer(const LongPlayer&) = delete;
    LongPlayer& operator=(const LongPlayer&) = delete;

    // Plays the request and returns what came of it, in the parent and in the player. `place` says which trial of the
    // grader this is, arrays included. Shared memory that the request's body writes must stay as it is until both have
    // come to the next `play`. Throws std::runtime_error when no process can be made.
    PlayResult play(const Machine& machine, const PlayRequest& request, const std::string& place);

    // Is this process the player? It ends by _exit, when it has come to the end of the cases.
    bool is_player() const;
    // How many were forked so far.
    int started() const;

  private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace lab
