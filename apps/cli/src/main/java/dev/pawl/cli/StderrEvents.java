package dev.pawl.cli;

import dev.pawl.event.Event;
import dev.pawl.event.Events;

/**
 * Events as logfmt lines on stderr.
 *
 * @param least the quietest that is told
 */
record StderrEvents(Event.Level least) implements Events {
    @Override
    public boolean wants(Event.Level level) {
        return level.compareTo(least) >= 0;
    }

    @Override
    public void happened(Event event) {
        if (wants(event.level())) {
            System.err.println(Bar.aside() + event.line());
        }
    }
}
