package dev.pawl.checks.simulation;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.journal.Entry;
import dev.pawl.journal.History;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.retry.Retry;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds what a job's journal alone shows to be wrong. */
final class JournalJudge {
    private final List<String> violations;
    private int asked;

    JournalJudge(List<String> violations) {
        this.violations = violations;
    }

    /** How many questions were asked, of all the journals that were judged. */
    int asked() {
        return asked;
    }

    void judge(StoredJob job, List<JournalLine> lines) {
        judgeOwners(job, lines);
        judgeEnd(job, lines);
        judgePlaces(job, lines);
        judgeApprovals(job, lines);
        judgeProgress(job, lines);
    }

    /** One owner: once a later one has written, an earlier one writes no more. */
    private void judgeOwners(StoredJob job, List<JournalLine> lines) {
        var highest = 0L;
        for (var line : lines) {
            if (line.fence() != 0 && line.fence() < highest) {
                violations.add("fence: job " + job.identity() + " was written to under fence " + line.fence()
                        + " after " + highest);
            }
            highest = Math.max(highest, line.fence());
        }
    }

    /** What was said of how far it has come is not said again, however often the code passes by. */
    private void judgeProgress(StoredJob job, List<JournalLine> lines) {
        var told = new HashSet<String>();
        for (var line : lines) {
            if (line.entry() instanceof Entry.Progressed one
                    && one.number() != Entry.Progressed.INSIDE
                    && !told.add(line.resubmission() + " " + one.place() + " " + one.number())) {
                violations.add("progress: job " + job.identity() + " said twice " + one.soFar());
            }
        }
    }

    private void judgeEnd(StoredJob job, List<JournalLine> lines) {
        var doubts = History.of(lines, job.standing().resubmission()).inDoubt();
        if (!doubts.isEmpty()) {
            violations.add("doubt: job " + job.identity() + " is " + job.state() + " and in doubt at "
                    + doubts.getFirst().place());
        }
        var calledOff = false;
        var attemptsThatUsed = new TreeSet<String>();
        var approvals = new HashMap<Place, Integer>();
        var owed = new HashSet<Place>();
        for (var line : lines) {
            switch (line.entry()) {
                case Entry.Asked one -> {
                    asked++;
                    var place = one.question().place().toString();
                    if (one.question().kind() == QuestionKind.DRIFT && !place.startsWith("drifting-")) {
                        violations.add("drift: job " + job.identity() + " asks for something else at " + place);
                    }
                }
                case Entry.CancelAsked ignored -> calledOff = true;
                case Entry.Retried ignored -> calledOff = false;
                case Entry.Owes one -> {
                    if (!owed.add(one.place())) {
                        violations.add("owed: job " + job.identity() + " owes the end of " + one.place() + " twice");
                    }
                }
                case Entry.OwesNoMore one -> {
                    if (!owed.remove(one.place())) {
                        violations.add("owed: job " + job.identity() + " did not owe the end of " + one.place());
                    }
                }
                case Entry.Intended intended -> {
                    if (calledOff && !paysDebt(intended.place(), owed)) {
                        violations.add(
                                "called off: job " + job.identity() + " began " + intended.place() + " afterwards");
                    }
                    if (isApproved(intended.place())) {
                        if (approvals.merge(intended.place(), -1, Integer::sum) < 0) {
                            violations.add(
                                    "approval: " + job.identity() + " " + intended.place() + " acts without one");
                        }
                    }
                }
                case Entry.Answered answered -> {
                    if (answered.answer() instanceof Answer.DidNotHappen
                            && answered.source() == Answer.Source.WORKER
                            && isApproved(answered.place())) {
                        approvals.merge(answered.place(), 1, Integer::sum);
                    }
                }
                case Entry.Decided decided -> {
                    if (decided.decision().verdict() == Verdict.APPROVE) {
                        approvals.put(decided.place(), 1);
                    }
                }
                case Entry.Used used -> {
                    if (used.number() != Entry.Used.LOOK_UP
                            && !attemptsThatUsed.add(used.place() + " " + used.number())) {
                        violations.add("cost: " + job.identity() + " " + used.place() + " attempt " + used.number()
                                + " counts twice");
                    }
                }
                default -> {}
            }
        }
        // A person who gives up on an end that failed for good gives up what is owed.
        var givenUp = lines.stream().anyMatch(line -> line.entry() instanceof Entry.Discarded);
        if (job.standing().owes() != owed.size() && !(givenUp && job.standing().owes() == 0)) {
            violations.add("owed: job " + job.identity() + " owes " + owed + " and is said to owe "
                    + job.standing().owes());
        }
    }

    /** Whether an attempt ends something that goes on elsewhere, or asks once more what to end. */
    private static boolean paysDebt(Place place, Set<Place> owed) {
        return owed.contains(place)
                || (place.name().equals("end")
                        && owed.stream().anyMatch(begun -> begun.inside().equals(place.scope())));
    }

    /** At one place: a timer ends once, tries are counted, and another request waits until the earlier one is settled. */
    private void judgePlaces(StoredJob job, List<JournalLine> lines) {
        var ends = new HashSet<Place>();
        var tries = new HashMap<Place, Integer>();
        var open = new HashMap<Place, String>();
        for (var line : lines) {
            var place = line.entry().place();
            switch (line.entry()) {
                case Entry.TimeUp ignored -> {
                    if (!ends.add(place)) {
                        violations.add("timer: " + job.identity() + " " + place + " ended twice");
                    }
                }
                case Entry.StepTried ignored -> {
                    if (tries.merge(place, 1, Integer::sum) > Retry.USUAL.attempts()) {
                        violations.add("tries: " + job.identity() + " " + place + " was tried without end");
                    }
                }
                case Entry.Retried ignored -> tries.clear();
                case Entry.Intended intended -> {
                    var before = open.put(place, intended.fingerprint());
                    if (before != null && !before.equals(intended.fingerprint())) {
                        violations.add("drift: " + job.identity() + " " + place + " was begun with another request");
                    }
                }
                case Entry.Answered ignored -> open.remove(place);
                case Entry.Decided ignored -> open.remove(place);
                default -> {}
            }
        }
    }

    /** No attempt begins on a yes that has expired. */
    private void judgeApprovals(StoredJob job, List<JournalLine> lines) {
        var until = new HashMap<Place, Instant>();
        for (var line : lines) {
            if (line.entry() instanceof Entry.ApprovalWanted wanted) {
                until.put(wanted.place(), line.at().plus(wanted.expires()));
            } else if (line.entry() instanceof Entry.Intended intended) {
                var expired = until.get(intended.place());
                if (expired != null && !line.at().isBefore(expired)) {
                    violations.add("approval: " + job.identity() + " " + intended.place() + " acts at " + line.at()
                            + ", and its yes expired at " + expired);
                }
            }
        }
    }

    private static boolean isApproved(Place place) {
        return place.name().startsWith("approve") || place.name().startsWith("expiring");
    }
}
