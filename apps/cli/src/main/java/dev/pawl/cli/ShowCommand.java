package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.desk.EvidenceText;
import dev.pawl.desk.JobLookup;
import dev.pawl.desk.JobText;
import dev.pawl.desk.JournalText;
import dev.pawl.desk.TraceText;
import dev.pawl.desk.Words;
import dev.pawl.journal.JournalLine;
import dev.pawl.json.Json;
import dev.pawl.list.ListPart;
import dev.pawl.look.StoredJob;
import dev.pawl.text.Visible;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pawl show JOB}: what happened to a job, what it asks, and the next command. */
@Command(
        name = "show",
        description = "Show a job's history and what it asks. Example: pawl show daily-blog-pr/2026-04-12",
        mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Parameters(paramLabel = "JOB", description = "WORKFLOW/KEY")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Option(names = "--json", description = "The job's envelope, as one JSON object.")
    private boolean json;

    @Option(
            names = "-n",
            paramLabel = "MANY",
            description = "Only the last so many lines of its history; all unless said.")
    private @Nullable Integer most;

    @Option(
            names = "--trace",
            description = "What its code has thrown, with the stack: of each place's first attempt, and of its last.")
    private boolean trace;

    @Override
    public Integer call() {
        if (most != null && most < 1) {
            throw new IllegalArgumentException("-n takes 1 or more, not " + most);
        }
        try (var pawl = store.look()) {
            var job = JobLookup.find(pawl, name);
            if (json) {
                System.out.println(Visible.of(Json.write(fields(pawl, job))));
                return 0;
            }
            var screen = Screen.ours();
            System.out.println(screen.fit(Visible.of(JobText.heading(job)), job.state()));
            System.out.println("number " + job.id() + ", cost " + pawl.cost(job) + ", times in "
                    + ZoneId.systemDefault().getId());
            var soFar = JobText.progress(pawl.operator().envelope(job));
            if (!soFar.isEmpty()) {
                System.out.println(screen.fit(Visible.of(soFar)));
            }
            var lines = journal(pawl, job);
            lines.forEach(line -> System.out.println(screen.fit(JournalText.of(line))));
            if (trace) {
                System.out.print(TraceText.of(lines));
            }
            if (job.outcome().result() != null) {
                System.out.println("result " + Words.cut(job.outcome().result()));
            }
            System.out.print(new EvidenceText(new TypedHere(store, pawl), pawl).of(job));
            var outcome = job.outcome();
            if (outcome.question() != null) {
                System.out.println(JobText.question(
                        outcome.question(), job, pawl.operator().storeOption()));
            }
            if (outcome.failure() != null) {
                System.out.println(Words.of(outcome.failure()));
                JobText.movesAfterFailure(job, pawl.operator().storeOption())
                        .forEach(move -> System.out.println("  " + move));
            }
            return 0;
        }
    }

    private List<JournalLine> journal(Pawl pawl, StoredJob job) {
        if (most == null) {
            return pawl.journal(job);
        }
        var lines = new ArrayList<JournalLine>();
        var part = ListPart.newest().most(Math.min(most, ListPart.MOST));
        var page = pawl.journal(job.id(), part);
        lines.addAll(page.lines());
        while (page.next() != null && lines.size() < most) {
            page = pawl.journal(job.id(), part.after(page.next()).most(Math.min(most - lines.size(), ListPart.MOST)));
            lines.addAll(page.lines());
        }
        return lines.reversed();
    }

    /** The envelope, and what people are shown besides. */
    private Map<String, @Nullable Object> fields(Pawl pawl, StoredJob job) {
        var fields = JobText.fields(pawl, job);
        if (trace) {
            fields.put("thrown", TraceText.fields(journal(pawl, job)));
        }
        fields.put("evidence", new EvidenceText(new TypedHere(store, pawl), pawl).fields(job));
        return fields;
    }
}
