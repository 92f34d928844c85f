package dev.pawl.event;

/** Events to both; what one of them throws keeps none from the other. */
record EventsToBoth(Events first, Events second) implements Events {
    @Override
    public void happened(Event event) {
        try {
            tell(first, event);
        } finally {
            tell(second, event);
        }
    }

    private static void tell(Events one, Event event) {
        if (one.wants(event.level())) {
            one.happened(event);
        }
    }

    @Override
    public boolean wants(Event.Level level) {
        return wants(first, level) || wants(second, level);
    }

    /** Who cannot say is told: what it then throws is its own affair. */
    private static boolean wants(Events one, Event.Level level) {
        try {
            return one.wants(level);
        } catch (RuntimeException cannotSay) {
            return true;
        }
    }
}
