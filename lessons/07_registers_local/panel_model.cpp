#include "lessons/07_registers_local/panel_model.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab::lesson_07_registers_local {

Filled fill(const Card& card, const Needs& needs) {
    const simt::SmLimits& sm = card.sm;
    const int bytes = needs.shared_bytes(needs.threads), warps = (needs.threads + 31) / 32;
    const auto fit = simt::resident_blocks(sm, unsigned(needs.threads), size_t(bytes), needs.registers);
    Filled filled;
    filled.places = sm.threads / 32;
    filled.impossible = size_t(bytes) > card.shared_per_block || fit.registers == 0;
    filled.blocks = filled.impossible ? 0 : fit.least();
    filled.warps = filled.blocks * warps;
    const double taken = double(simt::shared_taken(sm, size_t(bytes)));
    filled.supplies = {{{"threads", filled.warps * 32.0, double(sm.threads), fit.warps},
                        {"places for blocks", double(filled.blocks), double(sm.blocks), fit.blocks},
                        {"registers", double(filled.warps) * simt::registers_of_warp(needs.registers),
                         double(sm.registers), fit.registers},
                        {"shared memory", filled.blocks * taken, double(sm.shared), fit.shared}}};
    for (Supply& supply : filled.supplies) supply.is_limit = supply.blocks == fit.least();
    filled.supplies.back().is_limit =
        filled.supplies.back().is_limit && taken > 0;  // who needs none runs out of none
    return filled;
}

std::string limit_text(const Filled& filled) {
    std::string text;
    for (const Supply& supply : filled.supplies)
        if (supply.is_limit) text += (text.empty() ? "" : " and ") + std::string(supply.name);
    return text;
}

std::string sentence_of(const Card& card, const Needs& needs, const Filled& filled) {
    const int bytes = needs.shared_bytes(needs.threads);
    if (size_t(bytes) > card.shared_per_block)
        return fmt::format(
            "No such block: {} bytes of shared memory, and a block on this card has {} at most.", bytes,
            card.shared_per_block);
    if (filled.impossible)
        return fmt::format("No such block: {} threads of {} registers are more than the SM's {}.",
                           needs.threads, needs.registers, card.sm.registers);
    return fmt::format(
        "{} {} of {} threads: {} of {} warps, {:.0f} %. {}", filled.blocks,
        filled.blocks == 1 ? "block" : "blocks", needs.threads, filled.warps, filled.places, filled.percent(),
        filled.warps == filled.places ? "Full." : "First it runs out of " + limit_text(filled) + ".");
}

std::vector<double> curve(const Card& card, const Needs& needs) {
    std::vector<double> percents;
    for (int k = 1; k <= sizes; ++k) {
        Needs other = needs;
        other.threads = 32 * k;
        percents.push_back(fill(card, other).percent());
    }
    return percents;
}

Launched launched_by(const Kernel& kernel, const Run& run, int case_index) {
    const auto metric = [&](const char* name) {
        const auto found = kernel.metrics.find(name);
        return found == kernel.metrics.end() ? 0.0 : found->second;
    };
    Launched launched;
    launched.kernel = kernel.name;
    launched.threads = int(kernel.block.x * kernel.block.y * kernel.block.z);
    launched.registers = std::max(1, int(metric("registers")));
    launched.registers_estimated = metric("registers_estimated") != 0;
    launched.shared_bytes = int(kernel.shared_bytes);
    launched.percent = metric("occupancy_pct");
    for (const DeviceLimits& device : run.devices)
        if (device.case_index < 0 || device.case_index == case_index) launched.card = device.name;
    return launched;
}

}  // namespace lab::lesson_07_registers_local
