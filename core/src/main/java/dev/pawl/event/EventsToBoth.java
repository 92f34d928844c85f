package dev.pawl.event;

/** Events to both; what one of them throws keeps none from the other. */
record EventsToBoth(Events first, Events second) implements Events {
    @Override
    public void happened(Event event) {
        try {
            if (first.wants(event.level())) {
                first.happened(event);
            }
        } finally {
            if (second.wants(event.level())) {
                second.happened(event);
            }
        }
    }

    @Override
    public boolean wants(Event.Level level) {
        return first.wants(level) || second.wants(level);
    }
}
