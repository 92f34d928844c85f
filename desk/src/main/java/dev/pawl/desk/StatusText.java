package dev.pawl.desk;

import dev.pawl.Pawl;
import dev.pawl.job.JobState;
import dev.pawl.look.JobSummary;
import dev.pawl.text.LocalTimeText;
import dev.pawl.text.Many;
import dev.pawl.text.Visible;
import dev.pawl.time.Time;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** What {@code pawl status} says, for people: each thing that needs somebody with the command that deals with it. */
public final class StatusText {
    private static final int MOST_TOLD = 10;

    private final Pawl pawl;
    private final GoingOn goingOn;
    private final UnaryOperator<String> fitting;
    private final StringBuilder text = new StringBuilder();

    /**
     * For one look.
     *
     * @param fitting makes a line as short as it must be
     */
    public StatusText(Pawl pawl, GoingOn goingOn, UnaryOperator<String> fitting) {
        this.pawl = pawl;
        this.goingOn = goingOn;
        this.fitting = fitting;
    }

    /** All of it. */
    public String of(MorningLook look, Instant from) throws IOException {
        line("since " + Words.local(from));
        look.since().forEach((workflow, states) -> line("  " + WorkflowNames.called(workflow) + ":" + counts(states)));
        if (look.since().isEmpty()) {
            line("  nothing happened");
        }
        failed(look.needing().failedJobs());
        asking(look.needing().asking());
        duplicated(look.needing().duplicated());
        look.open().forEach(this::fitsNobody);
        look.gates()
                .forEach(gate -> line(gate.text(
                        pawl.operator().waitingAt(gate), pawl.operator().storeOption())));
        unfinished(look);
        if (look.need() == MorningLook.Need.NOTHING) {
            line("nothing needs you");
        }
        return text.toString();
    }

    private void failed(MorningLook.FailedJobs failedJobs) throws IOException {
        var jobs = failedJobs.first();
        if (jobs.isEmpty()) {
            return;
        }
        line("failed, and nobody has dealt with it: " + failedJobs.many());
        list(jobs, failedJobs.many(), "failed");
        for (var of : failedJobs.byWorkflow().entrySet()) {
            var known = jobs.stream()
                    .filter(job -> job.identity().workflow().equals(of.getKey()))
                    .toList();
            command(
                    goingOn.again(of.getKey(), of.getValue(), known),
                    "tries " + (of.getValue() == 1 ? "it" : "them") + " again");
        }
        command(
                "pawl discard " + (failedJobs.many() == 1 ? jobs.getFirst().identity() : "JOB") + " --note WHY",
                "gives it up for good");
    }

    private void asking(List<JobSummary> jobs) {
        if (jobs.isEmpty()) {
            return;
        }
        line("asks you: " + jobs.size());
        for (var alike : AskingAlike.of(jobs)) {
            var many = alike.jobs().size();
            var first = alike.first().identity();
            var until = alike.until();
            line(fitting.apply("  " + WorkflowNames.called(first.workflow())
                    + (alike.first().standing().cancelling() ? ", called off," : "") + " about "
                    + Visible.of(alike.question().place().toString()) + ": "
                    + Words.cut(LocalTimeText.within(alike.question().because()))));
            line("    " + Many.of(many, "job") + " since " + Words.local(alike.since(pawl))
                    + (until == null
                            ? ", until somebody answers"
                            : ", until " + Words.local(until) + ", then " + alike.then())
                    + ": " + names(alike.jobs()));
            command("pawl show " + first, "says all of it, and what each answer does");
            if (many > 1) {
                command("pawl decide --alike " + first + " VERDICT --note WHY", "answers all " + many);
            }
        }
    }

    private void duplicated(List<JobSummary> jobs) {
        if (!jobs.isEmpty()) {
            line("happened twice, or may have: " + jobs.size()
                    + "; look at the destination, undo by hand what should not be there, then pawl discard JOB --note WHY"
                    + pawl.operator().storeOption());
            list(jobs, jobs.size(), "duplicated");
        }
    }

    private void fitsNobody(String workflow, MorningLook.Unfinished open) {
        open.unfit.forEach((version, many) -> line("fits no worker: " + Many.of(many, "job") + " of "
                + WorkflowNames.called(workflow) + (many == 1 ? ", which was" : ", which were") + " begun with version "
                + version
                + " of its code; start a worker whose code has that version or runs it, or call off what is not wanted any more: pawl cancel JOB --note WHY"
                + pawl.operator().storeOption()));
    }

    private void unfinished(MorningLook look) throws IOException {
        if (look.unfinished().isEmpty()) {
            return;
        }
        line("not finished:" + counts(look.unfinished()));
        var now = Time.system().now();
        for (var of : look.open().entrySet()) {
            var open = of.getValue();
            var when = new ArrayList<String>();
            if (open.next != null) {
                when.add(
                        open.next.isAfter(now)
                                ? "the next is due at " + Words.local(open.next)
                                : "the next is due now");
            }
            if (open.waitingForNews > 0) {
                when.add(open.waitingForNews + " for a signal, another job or a gate");
            }
            line("  " + WorkflowNames.called(of.getKey()) + ":" + counts(open.states)
                    + (when.isEmpty() ? "" : "; " + String.join("; ", when))
                    + whereNobodyDoes(open.one));
        }
    }

    private String whereNobodyDoes(long one) throws IOException {
        var job = pawl.find(one);
        return job.isPresent() ? goingOn.whereNobodyDoes(job.get()) : "";
    }

    private static String counts(Map<JobState, Long> states) {
        return states.entrySet().stream()
                .map(state -> " " + state.getValue() + " " + state.getKey().word())
                .collect(Collectors.joining());
    }

    private void list(List<JobSummary> jobs, long many, String state) {
        jobs.stream()
                .limit(MOST_TOLD)
                .forEach(job -> line(fitting.apply("  " + job.identity() + ", since "
                        + Words.shortly(job.standing().times().changed()) + JobText.why(job))));
        if (many > MOST_TOLD) {
            line("  and " + (many - MOST_TOLD) + " more"
                    + (state.equals("failed")
                            ? ": pawl jobs --state failed" + pawl.operator().storeOption()
                            : ""));
        }
    }

    private static String names(List<JobSummary> jobs) {
        var first = jobs.stream()
                .limit(MOST_TOLD)
                .map(job -> job.identity().toString())
                .collect(Collectors.joining(", "));
        return jobs.size() > MOST_TOLD ? first + " and " + (jobs.size() - MOST_TOLD) + " more" : first;
    }

    private void command(String words, String does) {
        line("    " + words + pawl.operator().storeOption() + "    " + does);
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
