package dev.pawl.checks.simulation;

import dev.pawl.effect.Answer;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Terms;
import dev.pawl.effect.Tried;
import dev.pawl.job.JobState;
import dev.pawl.journal.History;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Debts;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what happens in a store, and to requests, as steps of the model in {@code Pawl.tla}: one step for each change that took effect,
 * with what became of the job. Changes are made one by one, so that what each of them did can be told.
 */
final class Story extends DelegatingStore {
    /** What of a job the model knows. */
    private record Seen(JobState state, long fence, boolean off, int owes) {
        private static Seen of(StoredJob job) {
            return new Seen(
                    job.state(),
                    job.standing().fence(),
                    job.standing().cancelling(),
                    job.standing().owes());
        }
    }

    /** One attempt, as its job counts them. */
    private record AttemptOf(long job, int resubmission, Place place, int number) {}

    /** A step: what, whose, and what becomes of it. */
    private record Step(String action, Map<String, String> with) {
        private String tla() {
            var fields = new StringBuilder("[do |-> \"").append(action).append('"');
            with.forEach((name, value) ->
                    fields.append(", ").append(name).append(" |-> ").append(value));
            return fields.append(']').toString();
        }
    }

    private final List<Step> steps = new ArrayList<>();
    private final Map<Long, Integer> workers = new HashMap<>();
    private final Map<Long, Integer> jobs = new LinkedHashMap<>();
    private final Map<String, Integer> places = new LinkedHashMap<>();
    private final Map<Long, Map<Integer, Terms>> contracts = new HashMap<>();
    private final Map<Long, List<AttemptOf>> tried = new HashMap<>();
    private final Map<String, AttemptOf> byKey = new HashMap<>();
    private final Map<Long, Map<Long, Long>> holders = new HashMap<>();
    private Map<Long, Seen> seen = Map.of();
    private @Nullable String beyond;

    Story(Store store) {
        super(store);
    }

    // ---- what it tells

    /** Why the model does not tell of such a night; null when it does. */
    @Nullable
    String beyond() {
        return beyond;
    }

    int length() {
        return steps.size();
    }

    int manyWorkers() {
        return workers.size();
    }

    int manyJobs() {
        return jobs.size();
    }

    int manyPlaces() {
        return places.size();
    }

    /** How often each action occurs. */
    Map<String, Integer> actions() {
        var counts = new TreeMap<String, Integer>();
        steps.forEach(step -> counts.merge(step.action(), 1, Integer::sum));
        return counts;
    }

    /** The story as a value of TLA+. */
    String tla() {
        var text = new StringBuilder("[contracts |-> <<");
        var all = new ArrayList<String>();
        for (var job : jobs.keySet()) {
            var ofJob = new ArrayList<String>();
            for (var place : places.values()) {
                ofJob.add(contract(contracts.getOrDefault(job, Map.of()).get(place)));
            }
            all.add("<<" + String.join(", ", ofJob) + ">>");
        }
        text.append(String.join(", ", all)).append(">>,\n steps |-> <<\n  ");
        return text.append(String.join(",\n  ", steps.stream().map(Step::tla).toList()))
                .append(">>]")
                .toString();
    }

    private static String contract(@Nullable Terms terms) {
        if (terms == null) {
            return "{}";
        }
        var has = new ArrayList<String>();
        if (terms.memory() != null) {
            has.add("\"remembers\"");
        }
        if (terms.verifiable()) {
            has.add("\"tells\"");
        }
        return "{" + String.join(", ", has) + "}";
    }

    // ---- what happens in the store

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        var applied = new ArrayList<Applied>();
        var claimed = new ArrayList<Claimed>();
        for (var change : changes) {
            var one = super.exchange(List.of(change), Wanted.NOTHING);
            applied.addAll(one.applied());
            tell(change, one.applied().getFirst(), one.claimed());
            claimed.addAll(one.claimed());
        }
        var rest = super.exchange(List.of(), wanted);
        rest.claimed().forEach(this::claims);
        claimed.addAll(rest.claimed());
        return new Exchanged(applied, claimed, rest.next(), rest.limited(), rest.now());
    }

    private void tell(Change change, Applied applied, List<Claimed> claimed) {
        if (applied.done() && !(applied instanceof Applied.Already)) {
            switch (change) {
                case Change.OfWorker ofWorker -> ofWorker(ofWorker);
                case Change.SubmitJob ignored -> {}
                case Change.Owned owned -> owned(owned);
                case Change.AnswerAttempt answer -> answered(answer, applied);
                case Change.Decide decide -> {
                    var said = statuses(decide.job());
                    step("Decide", decide.job(), "said", said);
                }
                case Change.OpenGate ignored -> {}
                case Change.GoOn ignored -> {}
                case Change.OfRows ignored -> {}
                case Change.MendTimes ignored -> {}
                case Change.KeepPrices ignored -> {}
                case Change.LimitQueue ignored -> step("LimitQueue", Map.of());
                case Change.PruneJobs ignored -> step("PruneJobs", Map.of());
                case Change.Deliver deliver -> step("Deliver", deliver.job(), "said", "<<>>");
                case Change.CancelJob cancel -> step("CancelJob", cancel.job(), "said", "<<>>");
                case Change.RetryJob retry -> step("RetryJob", retry.job(), "said", statuses(retry.job()));
                case Change.ResubmitJob again -> step("ResubmitJob", again.job(), "said", "<<>>");
                case Change.DiscardJob discard -> step("DiscardJob", discard.job(), "said", "<<>>");
            }
        }
        others(change);
        claimed.forEach(this::claims);
    }

    private void ofWorker(Change.OfWorker change) {
        var name = change.getClass().getSimpleName();
        var worker = String.valueOf(number(workers, change.worker()));
        if (change instanceof Change.TakeOver) {
            var struck = new ArrayList<String>();
            var some = new ArrayList<String>();
            look().forEach((job, now) -> {
                var before = seen.get(job);
                if (before != null && before.state() == JobState.RUNNING && now.fence() != before.fence()) {
                    some.add(String.valueOf(number(jobs, job)));
                    if (now.state() != JobState.READY) {
                        struck.add(String.valueOf(number(jobs, job)));
                    }
                }
            });
            step(
                    name,
                    Map.of(
                            "w",
                            worker,
                            "struck",
                            "{" + String.join(", ", struck) + "}",
                            "some",
                            "{" + String.join(", ", some) + "}"));
            return;
        }
        step(name, Map.of("w", worker));
    }

    private void owned(Change.Owned change) {
        var holder =
                holders.getOrDefault(change.job(), Map.of()).get(change.hold().fence());
        var worker = String.valueOf(number(workers, Objects.requireNonNull(holder)));
        // What is sent of the ledger is a record like any other to the model of jobs.
        var name = change instanceof Change.OfLedger
                ? "RecordStepIfOwned"
                : change.getClass().getSimpleName();
        var more = String.valueOf(Debts.more(change.entries()));
        switch (change) {
            case Change.IntendEffectIfOwned intend -> {
                var intent = intend.intent();
                var place = number(places, intent.place().toString());
                contract(change.job(), place, intent.terms());
                var attempt = new AttemptOf(change.job(), resubmission(change.job()), intent.place(), intent.number());
                tried.computeIfAbsent(change.job(), unused -> new ArrayList<>()).add(attempt);
                var job = job(change.job()).orElseThrow();
                byKey.put(
                        EffectKey.of(job.identity(), attempt.place(), attempt.resubmission()) + "#" + attempt.number(),
                        attempt);
                step(
                        name,
                        change.job(),
                        "w",
                        worker,
                        "p",
                        String.valueOf(place),
                        "pays",
                        intend.paysDebt() ? "TRUE" : "FALSE",
                        "more",
                        more);
            }
            case Change.CallIfOwned call -> {
                var child = find(call.call().child()).orElseThrow();
                var isNew = !jobs.containsKey(child.id());
                step(
                        name,
                        change.job(),
                        "w",
                        worker,
                        "more",
                        more,
                        "child",
                        isNew ? String.valueOf(number(jobs, child.id())) : "0");
            }
            default -> step(name, change.job(), "w", worker, "more", more);
        }
    }

    private void contract(long job, int place, Terms terms) {
        var before = contracts.computeIfAbsent(job, unused -> new HashMap<>()).putIfAbsent(place, terms);
        if (before != null && !contract(before).equals(contract(terms))) {
            beyond = "a contract was changed";
        }
    }

    private void answered(Change.AnswerAttempt change, Applied applied) {
        var ref = change.attempt();
        var attempt = new AttemptOf(change.job(), ref.resubmission(), ref.place(), ref.number());
        var status = switch (change.answer()) {
            case Answer.Happened ignored -> "\"HAPPENED\"";
            case Answer.DidNotHappen ignored -> "\"NOT\"";
            case Answer.Waived ignored -> "\"WAIVED\"";
            case Answer.Late ignored -> applied instanceof Applied.Duplicated ? "\"LATE\"" : "\"OPEN\"";
        };
        step("AnswerAttempt", change.job(), "i", index(attempt), "status", status);
    }

    private String index(AttemptOf attempt) {
        return String.valueOf(tried.getOrDefault(attempt.job(), List.of()).indexOf(attempt) + 1);
    }

    private void claims(Claimed claimed) {
        var job = claimed.job();
        var toldBefore = holders.computeIfAbsent(job.id(), unused -> new HashMap<>())
                .put(job.standing().fence(), job.standing().owner());
        if (toldBefore != null) {
            // A claim that was asked for twice is answered twice.
            return;
        }
        step(
                "Claim",
                job.id(),
                "w",
                String.valueOf(number(workers, job.standing().owner())));
        seen = look();
    }

    /** What the change did to other jobs than its own: a caller hears, a child is called off, a gate lets go. */
    private void others(Change change) {
        var now = look();
        now.forEach((job, current) -> {
            var before = seen.get(job);
            if (before == null) {
                if (!(change instanceof Change.CallIfOwned)) {
                    step(
                            "SubmitJob",
                            Map.of(
                                    "j",
                                    String.valueOf(number(jobs, job)),
                                    "state",
                                    "\"READY\"",
                                    "fence",
                                    "0",
                                    "owes",
                                    "0"));
                }
            } else if (job != change.job() && !before.equals(current)) {
                if (change instanceof Change.OpenGate || (change instanceof Change.GoOn && change.job() == 0)) {
                    step("OpenGate", job);
                } else if (change instanceof Change.TakeOver && before.state() == JobState.RUNNING) {
                    step("Look", job);
                } else if (current.off() && !before.off()) {
                    step("CancelJob", job, "said", "<<>>");
                } else {
                    step("Deliver", job, "said", "<<>>");
                }
            }
        });
        seen = now;
    }

    // ---- what happens to requests

    void sends(Attempt attempt) {
        request("Send", attempt);
    }

    void lands(Attempt attempt) {
        request("Land", attempt);
    }

    private void request(String action, Attempt request) {
        var attempt = byKey.get(request.key() + "#" + request.number());
        if (attempt == null) {
            beyond = "a request without an intent";
            return;
        }
        step(action, Map.of("j", String.valueOf(number(jobs, attempt.job())), "i", index(attempt)));
    }

    // ---- in small

    private static <K> int number(Map<K, Integer> numbers, K key) {
        return numbers.computeIfAbsent(key, unused -> numbers.size() + 1);
    }

    private int resubmission(long job) {
        return job(job).orElseThrow().standing().resubmission();
    }

    private Map<Long, Seen> look() {
        var all = new LinkedHashMap<Long, Seen>();
        wholeJobs(null, EnumSet.allOf(JobState.class), 0, 1_000).forEach(job -> all.put(job.id(), Seen.of(job)));
        return all;
    }

    /** What is known of each attempt of a job, in order. */
    private String statuses(long job) {
        var run = resubmission(job);
        var history = History.of(journal(job), run);
        var all = new ArrayList<String>();
        for (var attempt : tried.getOrDefault(job, List.of())) {
            var at = attempt.resubmission() == run ? history.at(attempt.place()) : null;
            var status = at == null
                    ? "\"KEPT\""
                    : at.attempts().stream()
                            .filter(one -> one.number() == attempt.number())
                            .map(one -> status(one, at.attempts()))
                            .findFirst()
                            .orElse("\"KEPT\"");
            all.add(status);
        }
        return "<<" + String.join(", ", all) + ">>";
    }

    private static String status(Tried attempt, List<Tried> all) {
        return switch (attempt.answer()) {
            case null ->
                all.stream().anyMatch(one -> one.answer() instanceof Answer.Happened) ? "\"SETTLED\"" : "\"OPEN\"";
            case Answer.Happened ignored -> "\"HAPPENED\"";
            case Answer.DidNotHappen ignored -> "\"NOT\"";
            case Answer.Waived ignored -> "\"WAIVED\"";
            case Answer.Late ignored -> throw new IllegalStateException("an attempt that may be late is open");
        };
    }

    /** A step of a job, with what became of that job. */
    private void step(String action, long job, String... with) {
        var now = Seen.of(job(job).orElseThrow());
        var all = new LinkedHashMap<String, String>();
        all.put("j", String.valueOf(number(jobs, job)));
        for (var i = 0; i < with.length; i += 2) {
            all.put(with[i], with[i + 1]);
        }
        all.put("state", "\"" + now.state() + "\"");
        all.put("fence", String.valueOf(now.fence()));
        all.put("owes", String.valueOf(now.owes()));
        step(action, all);
    }

    private void step(String action, Map<String, String> with) {
        steps.add(new Step(action, new TreeMap<>(with)));
    }
}
