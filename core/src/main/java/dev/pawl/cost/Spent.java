package dev.pawl.cost;

import java.time.LocalDate;

/**
 * What a workflow spent on one day with one model.
 *
 * @param workflow which
 * @param day in UTC, by the store's clock
 * @param model empty for attempts that died with their process
 * @param cost how much
 */
public record Spent(String workflow, LocalDate day, String model, Cost cost) {}
