package dev.pawl.decision;

/**
 * Where something was done by hand, as the machine knows it, whatever name was claimed.
 *
 * @param user the user of the operating system
 * @param host the machine
 */
public record Origin(String user, String host) {}
