package dev.pawl;

import dev.pawl.event.Event;
import dev.pawl.event.Events;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events as logfmt lines of the logger {@code dev.pawl.events}. */
final class LoggedEvents implements Events {

    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.events");

    @Override
    public void happened(Event event) {
        switch (event.level()) {
            case QUIET -> {
                if (LOG.isDebugEnabled()) {
                    LOG.debug("{}", event.line());
                }
            }
            case NOTICE -> LOG.info("{}", event.line());
            case LOUD -> LOG.warn("{}", event.line());
        }
    }
}
