package dev.pawl.cli;

import dev.pawl.event.Event;
import dev.pawl.event.EventField;
import dev.pawl.event.EventKind;
import dev.pawl.event.Events;
import dev.pawl.key.Identity;

/**
 * Events that concern one run: what happens to other jobs, and which of them nobody takes, is told by whoever stays, and by {@code pawl status}. That something
 * happened twice is told whoever finds out.
 *
 * @param workflow whose jobs are run
 * @param events where they go
 */
record EventsOfOneRun(String workflow, Events events) implements Events {
    @Override
    public boolean wants(Event.Level level) {
        return events.wants(level);
    }

    @Override
    public void happened(Event event) {
        if (concerns(event)) {
            events.happened(event);
        }
    }

    private boolean concerns(Event event) {
        var of = event.said(EventField.WORKFLOW);
        var job = event.said(EventField.JOB);
        if (of != null) {
            return of.equals(workflow);
        }
        return job == null
                || event.kind() == EventKind.DUPLICATED
                || Identity.parse(job).workflow().equals(workflow);
    }
}
