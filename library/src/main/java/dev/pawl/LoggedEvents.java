package dev.pawl;

import dev.pawl.event.Event;
import dev.pawl.event.Events;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events as logfmt lines of the logger {@code dev.pawl.events}, with what was thrown. A log has a time on each line by itself. */
final class LoggedEvents implements Events {

    /** The logger is looked for when there is something to log: looking takes a while, and many a process has nothing to say there. */
    private static final class LoggerHolder {
        private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.events");
    }

    @Override
    public boolean wants(Event.Level level) {
        return level != Event.Level.QUIET || LoggerHolder.LOG.isDebugEnabled();
    }

    @Override
    public void happened(Event event) {
        var log = LoggerHolder.LOG;
        switch (event.level()) {
            case QUIET -> {
                if (log.isDebugEnabled()) {
                    log.debug(event.lineWithoutTime(), event.thrown());
                }
            }
            case NOTICE -> log.info(event.lineWithoutTime(), event.thrown());
            case LOUD -> log.warn(event.lineWithoutTime(), event.thrown());
        }
    }
}
