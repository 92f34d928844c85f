package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static dev.pawl.testkit.StoreDriver.WORKFLOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.decision.QuestionKind;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.gate.Gate;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.lease.Taking;
import dev.pawl.list.Cursor;
import dev.pawl.list.ListPart;
import dev.pawl.look.ClaimGroup;
import dev.pawl.look.EndedJobs;
import dev.pawl.look.JobQuery;
import dev.pawl.look.JobSummary;
import dev.pawl.look.StoredJob;
import dev.pawl.look.TimeWindow;
import dev.pawl.look.UnfinishedJobs;
import dev.pawl.store.Change;
import dev.pawl.store.Change.ReleaseJob.Until;
import dev.pawl.store.JobPosition;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every store lists and counts, page by page. */
public abstract class ListConformance extends StoreHarness {
    private static final List<String> WORKFLOWS = List.of(WORKFLOW, "other");
    private static final List<String> QUEUES = List.of("", "mail");
    private static final List<String> PRINCIPALS = List.of("", "anna");
    private static final List<List<String>> KEYS =
            List.of(List.of("2026-04"), List.of("2026-05", "essay"), List.of("a b"), List.of("ü"), List.of("z/1"));

    private final List<Long> ids = new ArrayList<>();
    private long claims;

    private long submit(String key, Handling handling) {
        return submit(new Identity(WORKFLOW, Key.parse(key)), handling);
    }

    private long submit(Identity identity, Handling handling) {
        var id = Objects.requireNonNull(driver.apply(
                                new Change.SubmitJob(identity, new StoredJob.Given("{\"long\":1}", handling), null))
                        .stored())
                .id();
        ids.add(id);
        return id;
    }

    private List<String> keys(JobQuery query) {
        return driver.store().jobs(query).jobs().stream()
                .map(job -> job.identity().key().toString())
                .toList();
    }

    /** All that a query asks for, a few at a time. */
    private List<JobSummary> walk(JobQuery query, int atOnce) {
        var found = new ArrayList<JobSummary>();
        var page = driver.store().jobs(query.most(atOnce));
        found.addAll(page.jobs());
        while (page.next() != null) {
            page = driver.store()
                    .jobs(query.most(atOnce).after(new Cursor(page.next().text())));
            found.addAll(page.jobs());
        }
        return found;
    }

    private void tick() {
        time.advance(Duration.ofMinutes(1));
    }

    // ---- lists

    @Test
    void jobs_are_listed_by_state_workflow_queue_principal_and_key_without_their_payloads() {
        driver.enlist(1);
        submit("a", Handling.usual());
        tick();
        submit("b", Handling.usual().queue("mail"));
        tick();
        submit("c", Handling.usual().principal("anna"));
        tick();
        driver.apply(driver.claimed(driver.claim(1, 1).getFirst()).finish("\"result\""));
        assertThat(keys(JobQuery.in(JobState.DONE))).containsExactly("a");
        assertThat(keys(JobQuery.all().queue("mail"))).containsExactly("b");
        assertThat(keys(JobQuery.all().principal("anna"))).containsExactly("c");
        assertThat(keys(JobQuery.all().queue("").principal(""))).containsExactly("a");
        assertThat(keys(JobQuery.all().workflow("other"))).isEmpty();
        assertThat(keys(JobQuery.all().workflow(WORKFLOW)))
                .as("the last one that came into another state comes first")
                .containsExactly("a", "c", "b");
        assertThat(keys(JobQuery.all().oldestFirst())).containsExactly("b", "c", "a");
        assertThat(keys(JobQuery.all().keyPrefix("a"))).containsExactly("a");
        var done = driver.store().jobs(JobQuery.in(JobState.DONE)).jobs().getFirst();
        assertThat(done.outcome().result()).isNull();
        assertThat(done).isEqualTo(driver.job(done.id()).summary());
    }

    @Test
    void failed_jobs_are_listed_by_how_they_failed_and_by_when() {
        driver.enlist(1);
        for (var failure : FailureClass.values()) {
            var held = driver.hold(failure.word(), 1);
            driver.apply(new Change.FinishJob(
                    held.hold(),
                    held.id(0),
                    List.of(),
                    new Change.FinishJob.FinalState.Failed(
                            new FailedAt(StoreDriver.EFFECT, Failure.of(failure, "no", "no")))));
            tick();
        }
        assertThat(keys(JobQuery.all().failedAs(EnumSet.of(FailureClass.TRANSIENT, FailureClass.AMBIGUOUS))))
                .containsExactly("ambiguous", "transient");
        assertThat(keys(JobQuery.in(JobState.DONE).failedAs(EnumSet.of(FailureClass.TRANSIENT))))
                .isEmpty();
        assertThat(keys(JobQuery.in(JobState.FAILED)
                        .changed(new TimeWindow(
                                time.now().minus(Duration.ofMinutes(3)),
                                time.now().minus(Duration.ofMinutes(1))))))
                .containsExactly("ambiguous", "permanent");
    }

    @Test
    void many_jobs_whose_keys_begin_alike_are_listed_in_order_and_a_rare_one_among_them_is_found() {
        var changes = new ArrayList<Change>();
        for (var i = 0; i < 1_200; i++) {
            changes.add(new Change.SubmitJob(
                    new Identity(WORKFLOW, Key.of("many", "row-" + i)),
                    new StoredJob.Given("1", Handling.usual()),
                    null));
        }
        driver.store().exchange(changes, Wanted.NOTHING);
        driver.enlist(1);
        var left = 1_200;
        while (left > 0) {
            var claimed = driver.claim(1, 100);
            tick();
            driver.store()
                    .exchange(
                            claimed.stream()
                                    .map(one -> (Change) driver.claimed(one).finish("1"))
                                    .toList(),
                            Wanted.NOTHING);
            left -= claimed.size();
        }
        assertThat(walk(JobQuery.all().keyPrefix("many/row-7"), 50)).hasSize(111);
        assertThat(walk(JobQuery.all().keyPrefix("many/row-77"), 50))
                .extracting(job -> job.identity().key().toString())
                .contains("many/row-77", "many/row-777")
                .hasSize(11);
        var all = walk(JobQuery.all().keyPrefix("many"), 77);
        assertThat(all).hasSize(1_200);
        assertThat(all)
                .isSortedAccordingTo(Comparator.comparing(JobPosition::of).reversed());
    }

    @Test
    void who_walks_through_failed_jobs_and_takes_them_up_again_meets_each_once_however_fast_they_fail_again() {
        var changes = new ArrayList<Change>();
        for (var i = 0; i < 1_100; i++) {
            changes.add(new Change.SubmitJob(
                    new Identity(WORKFLOW, Key.of(i)), new StoredJob.Given("1", Handling.usual()), null));
        }
        driver.store().exchange(changes, Wanted.NOTHING);
        driver.enlist(1);
        failAll();
        var met = new ArrayList<Long>();
        driver.store().eachJob(JobQuery.in(JobState.FAILED), job -> {
            met.add(job.id());
            if (met.size() <= 20) {
                driver.apply(new Change.RetryJob(job.id(), driver.newId(), ANNA));
                failAll();
            }
        });
        assertThat(met).hasSize(1_100).doesNotHaveDuplicates();
    }

    private void failAll() {
        tick();
        for (var claimed = driver.claim(1, 100); !claimed.isEmpty(); claimed = driver.claim(1, 100)) {
            driver.store()
                    .exchange(
                            claimed.stream()
                                    .map(one -> (Change) driver.claimed(one).fail())
                                    .toList(),
                            Wanted.NOTHING);
        }
    }

    @Test
    void a_cursor_that_nobody_gave_out_is_refused() {
        assertThatThrownBy(() -> driver.store().jobs(JobQuery.all().after(new Cursor("yesterday"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use one that was given");
        assertThatThrownBy(() -> driver.store().journal(1, ListPart.oldest().after(new Cursor("1.2"))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> driver.store().happened(new Cursor("1.2"), 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_journal_is_read_in_parts_from_either_end() {
        var held = driver.hold("a", driver.enlist(1));
        for (var i = 0; i < 7; i++) {
            driver.apply(held.step("s" + i, "1"));
        }
        driver.apply(driver.hold("b", 1).step("other", "1"));
        var whole = driver.store().journal(held.job().id());
        assertThat(inParts(held.job().id(), ListPart.oldest().most(3))).isEqualTo(whole);
        assertThat(inParts(held.job().id(), ListPart.newest().most(2))).isEqualTo(whole.reversed());
        assertThat(driver.store()
                        .journal(held.job().id(), ListPart.newest().most(7))
                        .next())
                .isNull();
        assertThat(driver.store().journal(99, ListPart.newest()).lines()).isEmpty();
    }

    private List<JournalLine> inParts(long job, ListPart part) {
        var page = driver.store().journal(job, part);
        var lines = new ArrayList<>(page.lines());
        while (page.next() != null) {
            page = driver.store().journal(job, part.after(page.next()));
            lines.addAll(page.lines());
        }
        return lines;
    }

    @Test
    void gates_that_are_closed_are_told_apart_from_those_that_were() {
        driver.enlist(1);
        for (var gate : List.of("account/one", "account/two")) {
            var held = driver.hold(gate.substring(8), 1);
            driver.apply(new Change.WaitAtGateIfOwned(
                    held.hold(),
                    held.id(0),
                    List.of(),
                    new Gate.Wish(gate, new Gate.Reason(Gate.Cause.ACCOUNT, "no credit", null, null)),
                    null));
        }
        driver.apply(new Change.OpenGate("account/one", 1, ANNA));
        assertThat(driver.store().gates()).extracting(Gate::name).containsExactly("account/one", "account/two");
        assertThat(driver.store().closedGates()).extracting(Gate::name).containsExactly("account/two");
    }

    // ---- counts

    private Map<String, Long> ended(TimeWindow window) {
        return driver.store().ended(window).stream().collect(Collectors.toMap(ListConformance::text, EndedJobs::many));
    }

    private static String text(EndedJobs ended) {
        return ended.group().workflow() + " "
                + ended.state().word()
                + (ended.because() == null ? "" : " " + ended.because().word())
                + (ended.pruned() ? " pruned" : "");
    }

    @Test
    void what_is_taken_up_again_or_pruned_is_counted_as_what_it_is_now() {
        driver.enlist(1);
        var failed = driver.hold("failed", 1);
        driver.apply(failed.fail());
        var done = driver.hold("done", 1);
        driver.apply(done.step("s", "1"));
        driver.apply(done.finish("1"));
        var again = driver.hold("again", 1);
        driver.apply(again.finish("1"));
        assertThat(ended(TimeWindow.EVER)).isEqualTo(Map.of("w failed permanent", 1L, "w done", 2L));
        time.advance(Duration.ofDays(3));
        driver.apply(new Change.DiscardJob(failed.job().id(), driver.newId(), ANNA));
        driver.apply(new Change.ResubmitJob(again.job().id(), driver.newId(), ANNA));
        assertThat(ended(TimeWindow.EVER)).isEqualTo(Map.of("w cancelled", 1L, "w done", 1L));
        assertThat(ended(TimeWindow.since(time.now().minusSeconds(1)))).isEqualTo(Map.of("w cancelled", 1L));
        time.advance(Duration.ofDays(3));
        driver.apply(driver.claimed(driver.claim(1, 1).getFirst()).finish("2"));
        driver.apply(new Change.PruneJobs(time.now().minus(Duration.ofDays(1)), 10));
        assertThat(ended(TimeWindow.EVER))
                .isEqualTo(Map.of("w cancelled pruned", 1L, "w done pruned", 1L, "w done", 1L));
        assertThat(ended(new TimeWindow(null, time.now()))).isEmpty();
    }

    @Test
    void unfinished_jobs_are_counted_with_who_has_them_and_when_they_go_on() {
        driver.enlist(7);
        var early = time.now();
        submit("a", Handling.usual());
        submit("later", Handling.usual().notBefore(early.plusSeconds(3_600)));
        driver.claim(7, 1);
        var waits = driver.hold("waits", 7);
        driver.apply(waits.release(Until.WAIT, Duration.ofMinutes(10)));
        time.advance(Duration.ofMinutes(1));
        var asks = driver.hold("asks", 7);
        driver.apply(asks.intend(1));
        driver.apply(asks.askAbout(QuestionKind.IN_DOUBT));
        var group = new ClaimGroup(WORKFLOW, "", "", "");
        assertThat(driver.store().unfinished(time.now(), time.now()))
                .containsExactlyInAnyOrder(
                        new UnfinishedJobs(
                                group,
                                JobState.READY,
                                0,
                                new UnfinishedJobs.HowMany(1, 0, 0),
                                new UnfinishedJobs.First(early.plusSeconds(3_600), 0, ids.getLast())),
                        new UnfinishedJobs(
                                group,
                                JobState.RUNNING,
                                7,
                                new UnfinishedJobs.HowMany(1, 0, 1),
                                new UnfinishedJobs.First(null, ids.getFirst(), ids.getFirst())),
                        new UnfinishedJobs(
                                group,
                                JobState.WAITING,
                                0,
                                new UnfinishedJobs.HowMany(1, 0, 0),
                                new UnfinishedJobs.First(
                                        early.plusSeconds(600), 0, waits.job().id())),
                        new UnfinishedJobs(
                                group,
                                JobState.PAUSED,
                                0,
                                new UnfinishedJobs.HowMany(1, 1, 1),
                                new UnfinishedJobs.First(null, 0, asks.job().id())));
    }

    // ---- everything, beside a plain look at every job

    @Test
    void after_anything_that_can_happen_lists_and_counts_say_what_a_look_at_every_job_says() {
        var random = new Random(42);
        driver.apply(new Change.Enlist(1, "one", Duration.ofSeconds(30), new Taking(WORKFLOWS, QUEUES, PRINCIPALS)));
        for (var round = 0; round < 8; round++) {
            for (var i = 0; i < 25; i++) {
                something(random);
                time.advance(Duration.ofMinutes(random.nextInt(400)));
            }
            compare(random);
        }
    }

    private static <T> T any(List<T> choices, Random random) {
        return choices.get(random.nextInt(choices.size()));
    }

    private void something(Random random) {
        var key = new ArrayList<>(any(KEYS, random));
        key.set(0, key.getFirst() + "-" + ids.size());
        submit(
                new Identity(any(WORKFLOWS, random), new Key(key)),
                Handling.usual().queue(any(QUEUES, random)).principal(any(PRINCIPALS, random)));
        var claimed = driver.ask(
                        new Wanted(1, ++claims, new Taking(WORKFLOWS, QUEUES, PRINCIPALS), random.nextInt(1, 3), true))
                .claimed();
        for (var one : claimed) {
            var held = driver.claimed(one);
            switch (random.nextInt(8)) {
                case 0, 1, 2, 3 -> driver.apply(held.finish("1"));
                case 4 ->
                    driver.apply(new Change.FinishJob(
                            held.hold(),
                            held.id(0),
                            List.of(),
                            new Change.FinishJob.FinalState.Failed(new FailedAt(
                                    StoreDriver.EFFECT,
                                    Failure.of(any(List.of(FailureClass.values()), random), "no", "no")))));
                case 5 -> driver.apply(held.release(Until.WAIT, Duration.ofDays(random.nextInt(1, 9))));
                case 6 -> {
                    driver.apply(held.intend(1));
                    driver.apply(held.askAbout(QuestionKind.IN_DOUBT));
                }
                default -> {}
            }
        }
        var id = any(ids, random);
        switch (random.nextInt(12)) {
            case 0 -> driver.apply(new Change.RetryJob(id, driver.newId(), ANNA));
            case 1 -> driver.apply(new Change.ResubmitJob(id, driver.newId(), ANNA));
            case 2 -> driver.apply(new Change.DiscardJob(id, driver.newId(), ANNA));
            case 3 -> driver.apply(new Change.CancelJob(id, driver.newId(), ANNA));
            case 4 -> driver.apply(new Change.PruneJobs(time.now().minus(Duration.ofDays(20)), 3));
            default -> {}
        }
    }

    private List<StoredJob> all() {
        return ids.stream().map(driver::job).toList();
    }

    private void compare(Random random) {
        var jobs = all();
        for (var i = 0; i < 15; i++) {
            var query = query(random);
            var expected = jobs.stream()
                    .filter(Predicate.not(StoredJob::pruned))
                    .map(StoredJob::summary)
                    .filter(query::fits)
                    .sorted(Comparator.comparing(
                            JobPosition::of, JobPosition.order(query.part().newestFirst())))
                    .toList();
            assertThat(walk(query, random.nextInt(1, 30))).as(query.toString()).isEqualTo(expected);
            var each = new ArrayList<JobSummary>();
            driver.store().eachJob(query, each::add);
            assertThat(each).as(query.toString()).containsExactlyInAnyOrderElementsOf(expected);
        }
        for (var window : List.of(
                TimeWindow.EVER,
                TimeWindow.since(time.now().minus(Duration.ofHours(random.nextInt(1, 900)))),
                window(random))) {
            assertThat(new TreeMap<>(ended(window, driver.store().ended(window).stream())))
                    .as(window.toString())
                    .isEqualTo(new TreeMap<>(counted(window, jobs)));
        }
        var since = time.now().minus(Duration.ofHours(random.nextInt(1, 100)));
        assertThat(driver.store().unfinished(since, time.now()).stream()
                        .map(UnfinishedJobs::toString)
                        .sorted())
                .containsExactlyElementsOf(unfinished(since, jobs));
    }

    private JobQuery query(Random random) {
        var query = JobQuery.in(EnumSet.copyOf(Stream.generate(() -> any(List.of(JobState.values()), random))
                .limit(random.nextInt(1, 9))
                .toList()));
        query = random.nextInt(3) == 0 ? query.workflow(any(WORKFLOWS, random)) : query;
        query = random.nextInt(4) == 0 ? query.queue(any(QUEUES, random)) : query;
        query = random.nextInt(4) == 0 ? query.principal(any(PRINCIPALS, random)) : query;
        query = random.nextInt(4) == 0 ? query.changed(window(random)) : query;
        query = random.nextInt(5) == 0
                ? query.failedAs(EnumSet.of(any(List.of(FailureClass.values()), random)))
                : query;
        query = random.nextInt(3) == 0
                ? query.keyPrefix(any(
                        List.of("2", "2026-05", "2026-05-1", "a%2", "a%20b", "%C3", "z%2F1", "q", "2026-05-17/e"),
                        random))
                : query;
        return random.nextBoolean() ? query : query.oldestFirst();
    }

    private TimeWindow window(Random random) {
        var to = time.now().minus(Duration.ofHours(random.nextInt(0, 300)));
        return new TimeWindow(to.minus(Duration.ofMinutes(random.nextInt(1, 9_000))), to);
    }

    private static Map<String, Long> ended(TimeWindow window, Stream<EndedJobs> ended) {
        return ended.filter(one -> !one.pruned() || window.equals(TimeWindow.EVER))
                .collect(Collectors.toMap(one -> one.group() + " " + text(one), EndedJobs::many));
    }

    private static Map<String, Long> counted(TimeWindow window, List<StoredJob> jobs) {
        return ended(
                window,
                jobs.stream()
                        .filter(job -> job.state().finished()
                                && window.contains(job.standing().times().changed()))
                        .map(job -> new EndedJobs(
                                ClaimGroup.of(job.summary()),
                                job.state(),
                                job.summary().failedAs(),
                                job.pruned(),
                                1))
                        .collect(Collectors.groupingBy(one -> one, Collectors.counting()))
                        .entrySet()
                        .stream()
                        .map(one -> new EndedJobs(
                                one.getKey().group(),
                                one.getKey().state(),
                                one.getKey().because(),
                                one.getKey().pruned(),
                                one.getValue())));
    }

    private record Alike(ClaimGroup group, JobState state, long owner) {}

    private List<String> unfinished(Instant since, List<StoredJob> jobs) {
        return jobs.stream()
                .filter(job -> !job.state().finished())
                .collect(Collectors.groupingBy(job -> new Alike(
                        ClaimGroup.of(job.summary()),
                        job.state(),
                        job.standing().owner())))
                .entrySet()
                .stream()
                .map(alike -> new UnfinishedJobs(
                                alike.getKey().group(),
                                alike.getKey().state(),
                                alike.getKey().owner(),
                                new UnfinishedJobs.HowMany(
                                        alike.getValue().size(),
                                        alike.getValue().stream()
                                                .filter(job -> !job.standing()
                                                        .times()
                                                        .changed()
                                                        .isBefore(since))
                                                .count(),
                                        alike.getValue().stream()
                                                .filter(job -> due(job) == null)
                                                .count()),
                                new UnfinishedJobs.First(
                                        alike.getValue().stream()
                                                .map(ListConformance::due)
                                                .filter(Objects::nonNull)
                                                .min(Comparator.naturalOrder())
                                                .orElse(null),
                                        alike.getValue().stream()
                                                .filter(job -> job.state() == JobState.RUNNING || isDue(job))
                                                .mapToLong(StoredJob::id)
                                                .min()
                                                .orElse(0),
                                        alike.getValue().stream()
                                                .mapToLong(StoredJob::id)
                                                .min()
                                                .orElseThrow()))
                        .toString())
                .sorted()
                .toList();
    }

    private static @Nullable Instant due(StoredJob job) {
        return job.standing().times().due();
    }

    private boolean isDue(StoredJob job) {
        var due = due(job);
        return due != null && !due.isAfter(time.now());
    }

    @Test
    void a_rare_key_among_jobs_that_wait_is_found_although_none_has_ended() {
        for (var i = 0; i < 5; i++) {
            driver.submit("many-" + i, "1");
        }
        driver.submit("rare", "1");
        driver.submit("many-5", "1");
        var rare = JobQuery.in(JobState.READY).keyPrefix("rare").part(new ListPart(false, Cursor.START, 1));
        assertThat(driver.store().jobs(rare).jobs())
                .extracting(job -> job.identity().key().toString())
                .containsExactly("rare");
    }

    @Test
    void a_rare_key_among_jobs_that_wait_and_whose_keys_begin_alike_is_found_although_none_has_ended() {
        submit("many/rare", Handling.usual());
        tick();
        for (var i = 0; i < 5; i++) {
            submit("many/row-" + i, Handling.usual());
        }
        assertThat(walk(JobQuery.in(JobState.READY).keyPrefix("many/ra"), 1))
                .extracting(job -> job.identity().key().toString())
                .containsExactly("many/rare");
    }

    @Test
    void a_job_that_is_pruned_while_somebody_walks_through_all_is_met_as_it_was_or_not_at_all() {
        driver.enlist(1);
        var ends = driver.hold("ends", 1);
        tick();
        // Newest first: as many as are read at once come before it.
        driver.store()
                .exchange(
                        IntStream.range(0, ListPart.MOST)
                                .mapToObj(i -> (Change) new Change.SubmitJob(
                                        new Identity(WORKFLOW, Key.of(i)),
                                        new StoredJob.Given("1", Handling.usual()),
                                        null))
                                .toList(),
                        Wanted.NOTHING);
        var met = new ArrayList<String>();
        driver.store().eachJob(JobQuery.all(), job -> {
            if (met.isEmpty()) {
                driver.apply(ends.finish("1"));
                var newest = driver.claimed(driver.claim(1, 1).getFirst());
                driver.apply(newest.step("s", "1"));
                driver.apply(newest.finish("1"));
                tick();
                driver.apply(new Change.PruneJobs(time.now(), 1));
            }
            met.add(job.identity().key() + " " + job.state());
        });
        assertThat(driver.job(ends.job().id()).pruned()).isTrue();
        assertThat(met).hasSizeGreaterThanOrEqualTo(ListPart.MOST).doesNotContain("ends DONE");
    }

    @Test
    void a_job_that_ends_while_somebody_walks_through_all_is_met_once() {
        driver.enlist(1);
        var ends = driver.hold("ends", 1);
        driver.submit("waits", "1");
        var met = new ArrayList<String>();
        driver.store().eachJob(JobQuery.all(), job -> {
            if (met.isEmpty()) {
                driver.apply(ends.finish("1"));
            }
            met.add(job.identity().key().toString());
        });
        assertThat(met).containsExactlyInAnyOrder("ends", "waits");
        assertThat(driver.state(ends)).isEqualTo(JobState.DONE);
    }

    @Test
    void a_job_that_ends_and_is_taken_up_again_in_one_go_is_counted_as_nothing_that_ended() {
        driver.enlist(1);
        var held = driver.hold("a", 1);
        var again = new Change.ResubmitJob(held.job().id(), driver.newId(), ANNA);
        assertThat(driver.store()
                        .exchange(List.of(held.finish("1"), again), Wanted.NOTHING)
                        .applied())
                .allMatch(applied -> applied.done());
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
        assertThat(driver.store().ended(TimeWindow.EVER).stream()
                        .mapToLong(EndedJobs::many)
                        .sum())
                .isZero();
    }
}
