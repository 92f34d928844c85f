package dev.pawl.test;

/**
 * Where a process dies: at its so-many-th commit.
 *
 * @param commit which commit, from 1 on
 * @param after whether the commit was still made
 */
record CrashPoint(int commit, boolean after) {}
