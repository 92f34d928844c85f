package dev.pawl.checks.model;

/**
 * How much there is of everything while the model is explored.
 *
 * @param workers worker numbers
 * @param jobs jobs, each with one effect
 * @param crashes at most
 * @param zombies workers that freeze, at most, and may thaw after they were declared dead
 * @param wishes of people, and retirements, at most
 * @param bounds how far to go
 */
public record Size(int workers, int jobs, int crashes, int zombies, int wishes, Bounds bounds) {
    /**
     * How far to go.
     *
     * @param attempts of one job
     * @param together of all jobs
     * @param resubmissions of one job
     * @param fromTheStart whether workers have to enlist and jobs to be submitted first
     */
    public record Bounds(int attempts, int together, int resubmissions, boolean fromTheStart) {}

    /** Small enough for every build, and with everything that people may want. */
    public static final Size SMALL = new Size(2, 1, 1, 1, 2, new Bounds(2, 2, 1, true));

    /** The size of the promise: three workers, two jobs, two crashes, one zombie. */
    public static final Size WHOLE = new Size(3, 2, 2, 1, 0, new Bounds(2, 3, 0, false));

    /** For whether every job ends. */
    public static final Size TO_THE_END = new Size(3, 1, 1, 1, 0, new Bounds(4, 4, 0, false));

    /** Enough for a late one whose successor died untold. */
    public static final Size SECRET = new Size(3, 1, 1, 1, 0, new Bounds(2, 2, 0, false));

    /** For what goes on elsewhere: it is begun, asked for once more, and ended. */
    public static final Size OWING = new Size(2, 1, 1, 1, 2, new Bounds(3, 3, 0, false));

    /** Enough for a job that is called off. */
    public static final Size CALLED_OFF = new Size(2, 1, 0, 0, 1, new Bounds(2, 2, 0, false));

    /** Small and quick: enough to break a promise that is too much to ask. */
    public static final Size TINY = new Size(2, 1, 1, 1, 0, new Bounds(2, 2, 0, false));
}
