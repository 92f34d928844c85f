package dev.pawl.checks.crash.night;

/** What is another one each time (moments, spans, keys, numbers of processes), made alike. */
final class Blur {
    private static final String MOMENT =
            "(?:\\d{4}-)?\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?: Europe/Berlin|[+-]\\d\\d:\\d\\d|Z)?";
    private static final String SPAN = "\\b\\d+(?:\\.\\d+)?(?:ms|s|m|h|d)(?: ?\\d+(?:s|m|h))*\\b";

    private Blur() {}

    static String of(String seen) {
        return seen.replaceAll(MOMENT, "WHEN")
                .replaceAll("\\b\\d{4}-\\d\\d-\\d\\d\\b", "DAY")
                .replaceAll(SPAN, "SPAN")
                .replaceAll("\\b[0-9a-f]{32}\\b", "KEY")
                .replaceAll("pawl-\\d+@laptop-\\w+", "WORKER")
                .replaceAll("process \\d+", "process N")
                .replaceAll(" +", " ");
    }
}
