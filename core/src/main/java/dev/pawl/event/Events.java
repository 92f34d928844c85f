package dev.pawl.event;

/** Where events go. Called after the commit, on the thread that made it; it must not block or throw. */
@FunctionalInterface
public interface Events {

    /** To nobody. */
    Events NOWHERE = new Events() {
        @Override
        public void happened(Event event) {}

        @Override
        public boolean wants(Event.Level level) {
            return false;
        }
    };

    /** To these and to others, each whatever becomes of the rest. */
    default Events and(Events others) {
        return new EventsToBoth(this, others);
    }

    /** Takes one in. */
    void happened(Event event);

    /** Whether events as loud as this are heard at all: what nobody hears need not be made. */
    default boolean wants(Event.Level level) {
        return true;
    }
}
