package dev.pawl.cli;

import dev.pawl.PawlOptions;
import dev.pawl.Submission;
import dev.pawl.desk.Fields;
import dev.pawl.key.Identity;
import dev.pawl.script.FlowCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code pawl submit FLOW}: leaves a job for whoever works. */
@Command(
        name = "submit",
        description =
                "Leave a flow's job for those who work (pawl work), here or elsewhere; the same key is the same job."
                        + " Example: pawl submit invoices.yaml --input '{\"id\":7}' --queue mail",
        mixinStandardHelpOptions = true)
final class SubmitCommand implements Callable<Integer> {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private FlowJobOption typed;

    @Option(
            names = "--queue",
            paramLabel = "NAME",
            description = "The queue that it waits in; the common one unless said.")
    private String queue = "";

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private AsOption as;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Override
    public Integer call() throws Exception {
        var flow = typed.flow();
        var given = typed.input();
        var handling = as.over(flow.rules().principal());
        try (var pawl = store.openOrMake(PawlOptions.usual())) {
            Flows.keepHow(store, "work", typed.file(), flow);
            var submission = pawl.submit(
                    FlowCode.workflow(flow),
                    FlowCode.key(flow, given),
                    given,
                    queue.isEmpty() ? handling : handling.queue(queue));
            say(submission.identity(), submission.how());
        }
        return 0;
    }

    private void say(Identity identity, Submission.Arrival how) {
        var what = switch (how) {
            case NEW -> "is submitted";
            case REPLACED -> "was not begun yet, and has this input now";
            case SAME -> "was submitted before";
            case CHANGED, CONFLICT -> "was there with another input, and is not done again";
        };
        json.say(identity + " " + what, Fields.of("job", identity.toString(), "how", how.toString()));
    }
}
