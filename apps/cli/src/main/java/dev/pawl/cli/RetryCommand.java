package dev.pawl.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pawl retry JOB…}. */
@Command(
        name = "retry",
        description =
                "Try a failed job again, with a new budget. Example: pawl retry report/2026-04 --note 'looked at it'",
        mixinStandardHelpOptions = true)
final class RetryCommand implements Callable<Integer> {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private NoteOption note;

    @Parameters(paramLabel = "JOB", arity = "1..*", description = "WORKFLOW/KEY")
    @SuppressWarnings("NullAway.Init")
    private List<String> names;

    @Override
    public Integer call() {
        try (var pawl = store.open()) {
            for (var name : names) {
                pawl.retry(StoreOption.find(pawl, name), note.audit());
                System.out.println(name + ": retry, by " + note.audit().who());
            }
            return 0;
        }
    }
}
