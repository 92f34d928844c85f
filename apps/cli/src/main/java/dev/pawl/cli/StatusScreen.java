package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.job.JobState;
import dev.pawl.store.StoredJob;
import dev.pawl.text.LocalTimeText;
import dev.pawl.text.Many;
import dev.pawl.text.Visible;
import dev.pawl.time.Time;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What {@code pawl status} says, for people: each thing that needs somebody with the command that deals with it. */
final class StatusScreen {
    private static final int MOST_TOLD = 10;

    private final Pawl pawl;
    private final GoingOn goingOn;
    private final Screen fitting = Screen.ours();
    private final StringBuilder text = new StringBuilder();

    StatusScreen(Pawl pawl, GoingOn goingOn) {
        this.pawl = pawl;
        this.goingOn = goingOn;
    }

    String of(MorningLook look, Instant from) throws IOException {
        line("since " + Words.local(from));
        look.since().forEach((workflow, states) -> line("  " + GoingOn.called(workflow) + ":" + counts(states)));
        if (look.since().isEmpty()) {
            line("  nothing happened");
        }
        failed(look.needing().failed());
        asking(look.needing().asking());
        duplicated(look.needing().duplicated());
        look.gates().forEach(gate -> line(gate.text(pawl.waitingAt(gate), pawl.storeOption())));
        unfinished(look);
        if (look.exitCode() == 0) {
            line("nothing needs you");
        }
        return text.toString();
    }

    private void failed(List<StoredJob> jobs) throws IOException {
        if (jobs.isEmpty()) {
            return;
        }
        line("failed, and nobody has dealt with it: " + jobs.size());
        list(jobs, "failed");
        var workflows = jobs.stream()
                .collect(Collectors.groupingBy(job -> job.identity().workflow(), TreeMap::new, Collectors.toList()));
        for (var of : workflows.entrySet()) {
            command(
                    again(of.getKey(), of.getValue()),
                    "tries " + (of.getValue().size() == 1 ? "it" : "them") + " again");
        }
        command(
                "pawl discard " + (jobs.size() == 1 ? jobs.getFirst().identity() : "JOB") + " --note WHY",
                "gives it up for good");
    }

    private String again(String workflow, List<StoredJob> failed) throws IOException {
        if (goingOn.isOfBatch(workflow)) {
            return "pawl batch retry " + workflow + " --note WHY";
        }
        return failed.size() == 1
                ? "pawl retry " + failed.getFirst().identity() + " --note WHY"
                : "pawl jobs -q --state failed --workflow " + workflow + pawl.storeOption()
                        + " | pawl retry - --note WHY";
    }

    private void asking(List<StoredJob> jobs) {
        if (jobs.isEmpty()) {
            return;
        }
        line("asks you: " + jobs.size());
        for (var alike : AskingAlike.of(jobs)) {
            var many = alike.jobs().size();
            var first = alike.first().identity();
            var until = alike.until();
            line(fitting.fit("  " + GoingOn.called(first.workflow())
                    + (alike.first().standing().cancelling() ? ", called off," : "") + " about "
                    + Visible.of(alike.question().place().toString()) + ": "
                    + Words.cut(LocalTimeText.within(alike.question().because()))));
            line("    " + Many.of(many, "job") + " since " + Words.local(alike.since())
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

    private void duplicated(List<StoredJob> jobs) {
        if (!jobs.isEmpty()) {
            line("happened twice, or may have: " + jobs.size()
                    + "; look at the destination, undo one of both by hand, then pawl discard JOB --note WHY"
                    + pawl.storeOption());
            list(jobs, "duplicated");
        }
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
            line("  " + GoingOn.called(of.getKey()) + ":" + counts(open.states)
                    + (when.isEmpty() ? "" : "; " + String.join("; ", when))
                    + goingOn.whereNobodyDoes(open.one));
        }
    }

    private static String counts(Map<JobState, Long> states) {
        return states.entrySet().stream()
                .map(state -> " " + state.getValue() + " " + Screen.word(state.getKey()))
                .collect(Collectors.joining());
    }

    private void list(List<StoredJob> jobs, String state) {
        jobs.stream()
                .limit(MOST_TOLD)
                .forEach(job -> line(fitting.fit("  " + job.identity() + ", since "
                        + Words.shortly(job.standing().times().changed()) + JobsCommand.why(job))));
        if (jobs.size() > MOST_TOLD) {
            line("  and " + (jobs.size() - MOST_TOLD) + " more"
                    + (state.equals("failed") ? ": pawl jobs --state failed" + pawl.storeOption() : ""));
        }
    }

    private static String names(List<StoredJob> jobs) {
        var first = jobs.stream()
                .limit(MOST_TOLD)
                .map(job -> job.identity().toString())
                .collect(Collectors.joining(", "));
        return jobs.size() > MOST_TOLD ? first + " and " + (jobs.size() - MOST_TOLD) + " more" : first;
    }

    private void command(String words, String does) {
        line("    " + words + pawl.storeOption() + "    " + does);
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
