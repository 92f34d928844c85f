package dev.pawl.examples;

import static dev.pawl.job.JobState.DONE;

import dev.pawl.Pawl;
import dev.pawl.failure.JobPruned;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.list.Cursor;
import dev.pawl.look.JobQuery;
import dev.pawl.look.TimeWindow;
import dev.pawl.time.Time;

/** What happened, from a cursor on; the envelope of a job; and what is left of old ones. */
public final class LookAround {
    private static final Workflow<String, String> PAGE = Workflow.named("page", String.class, String.class);

    private LookAround() {}

    /** Makes three pages, looks at them, and prunes them. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            pawl.work(PAGE.implementedBy((job, title) -> job.step("write", String.class, () -> title + "!")));
            for (var title : new String[] {"Fences", "Keys", "Leases"}) {
                pawl.submit(PAGE, Key.of(title), title).join();
            }
            var happened = pawl.happened(Cursor.START, 100);
            System.out.println(happened.size() + " things happened");
            var newest = pawl.jobs(JobQuery.in(DONE).workflow("page").most(2));
            System.out.println(
                    newest.jobs().getFirst().identity() + " came last; there are more: " + (newest.next() != null));
            pawl.operator()
                    .ended(TimeWindow.EVER)
                    .forEach(ended -> System.out.println(ended.many() + " " + ended.state()));
            var keys = pawl.find(PAGE, Key.of("Keys")).orElseThrow();
            var envelope = pawl.operator().envelope(keys);
            System.out.println(envelope.jobId() + " resumes from " + envelope.resumeFrom());

            System.out.println(pawl.prune(Time.system().now().plusSeconds(1)) + " pruned");
            try {
                pawl.submit(PAGE, Key.of("Fences"), "Fences").join();
            } catch (JobPruned pruned) {
                System.out.println(pruned.getMessage());
            }
        }
    }
}
