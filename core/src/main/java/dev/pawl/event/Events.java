package dev.pawl.event;

/** Where events go. Called after the commit, on the thread that made it; it must not block or throw. */
@FunctionalInterface
public interface Events {

    /** To nobody. */
    Events NOWHERE = event -> {};

    /** Takes one in. */
    void happened(Event event);
}
