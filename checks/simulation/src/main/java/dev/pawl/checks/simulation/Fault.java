package dev.pawl.checks.simulation;

/** What can go wrong. */
enum Fault {
    /** A change was not made, and its maker got an error. */
    NOT_EXECUTED,
    /** A change was made, and its maker got an error. */
    EXECUTED_BUT_ERROR,
    /** Its maker got an error, and the change was made later, after whatever came between. */
    EXECUTED_LATE,
    /** A request was refused before it was sent. */
    REFUSED,
    /** A request landed, and its reply did not come. */
    REPLY_LOST,
    /** A process froze between its last check and its send. */
    FROZEN_BEFORE_SENDING,
    /** A process froze between its last look and its write. */
    FROZEN_BEFORE_WRITING,
    /** A process died; its memory is gone. */
    CRASH,
    /** A process died just after it took over a dead one's jobs. */
    CRASH_IN_RECOVERY,
    /** A process stood still, often for longer than its lease. */
    FREEZE,
    /** A machine slept: its clocks stood still too. */
    SLEEP,
    /** A wall clock jumped. */
    CLOCK_JUMP,
    /** A process could not reach the store for a while. */
    CUT_OFF,
    /** A process was told to stop. */
    SHUT_DOWN,
    /** A process was told to stop while a request was on its way. */
    SHUT_DOWN_IN_ACT,
    /** A person called a job off. */
    CALLED_OFF
}
