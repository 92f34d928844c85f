package dev.pawl.cli;

import static dev.pawl.effect.Contract.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.Pawl;
import dev.pawl.effect.Contract;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.GateClosed;
import dev.pawl.failure.JobFailed;
import dev.pawl.failure.JobPaused;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.job.Finding;
import dev.pawl.job.JobState;
import dev.pawl.job.Rhythm;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Progress;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.retry.Retry;
import dev.pawl.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person types in the morning. */
class CommandsTest {

    private static final Workflow<String, String> W = Workflow.named("announce", String.class, String.class);

    @TempDir
    private Path folder;

    private String out = "";
    private String err = "";

    @BeforeEach
    void aNightThatAsksAndFails() throws InterruptedException {
        try (var pawl = Pawl.openOrCreate(store())) {
            work(pawl);
            var asks = pawl.submit(W, Key.of("asks"), "asks");
            var fails = pawl.submit(W, Key.of("fails"), "fails");
            assertThatExceptionOfType(JobPaused.class).isThrownBy(asks::join);
            assertThatExceptionOfType(JobFailed.class).isThrownBy(fails::join);
        }
    }

    private static void work(Pawl pawl, Workflow.Implementation<?, ?>... others) {
        var all = new ArrayList<Workflow.Implementation<?, ?>>(List.of(others));
        all.add(W.implementedBy((job, input) -> {
            if (input.equals("fails")) {
                throw new PermanentFailure("no luck");
            }
            return job.effect("post", none(), input, String.class, (request, a) -> {
                throw new IllegalStateException("no answer");
            });
        }));
        pawl.work(all.toArray(Workflow.Implementation<?, ?>[]::new));
    }

    private Path store() {
        return folder.resolve("pawl.db");
    }

    private int pawl(String... words) {
        var arguments = new ArrayList<>(List.of(words));
        arguments.add("--store=" + store());
        var said = new ByteArrayOutputStream();
        var complained = new StringWriter();
        var before = System.out;
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            var typed = arguments.toArray(String[]::new);
            return Main.commandLine(typed).setErr(new PrintWriter(complained)).execute(typed);
        } finally {
            System.setOut(before);
            out = said.toString(StandardCharsets.UTF_8);
            err = complained.toString();
        }
    }

    @Test
    void the_commands_that_a_question_names_work() throws InterruptedException {
        assertThat(pawl("jobs", "--state", "paused,failed")).isZero();
        assertThat(out.lines())
                .containsExactlyInAnyOrder(
                        "     1 PAUSED    announce/asks  asks about post",
                        "     2 FAILED    announce/fails  failed: no luck");
        assertThat(pawl("show", "1")).as("by its number").isZero();
        assertThat(out)
                .contains("announce/asks is PAUSED")
                .contains("pawl decide announce/asks done --result JSON --note WHY --store " + store());

        assertThat(pawl("decide", "announce/asks", "done", "--result", "\"url\"", "--note", "I see it", "--by", "anna"))
                .isZero();
        assertThat(pawl("retry", "announce/fails", "--note", "mended")).isZero();
        try (var again = Pawl.openOrCreate(store())) {
            work(again);
            assertThat(again.submit(W, Key.of("asks"), "asks").join()).isEqualTo("url");
            assertThatExceptionOfType(JobFailed.class)
                    .isThrownBy(() -> again.submit(W, Key.of("fails"), "fails").join());
        }
        assertThat(pawl("discard", "announce/fails", "--note", "not worth it")).isZero();
        assertThat(pawl("resubmit", "announce/asks", "--note", "again, please")).isZero();
        assertThat(pawl("jobs")).isZero();
        assertThat(out).isEqualTo("     1 READY     announce/asks\n     2 CANCELLED announce/fails  failed: no luck\n");
        var refused = Typing.of("resubmit", "announce/asks", "--note", "and again", "--store=" + store());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("is READY").doesNotContain("is done again from the start");
    }

    @Test
    void signals_gates_and_calling_off_from_the_command_line() throws InterruptedException {
        var order = Workflow.named("order", String.class, String.class);
        var mended = new AtomicBoolean();
        Workflow.Body<String, String> body = (job, input) -> {
            var paid =
                    job.awaitSignal("paid", Integer.class, Duration.ofDays(1)).orElse(0);
            return job.step("charge", String.class, () -> {
                if (!mended.get()) {
                    throw new AccountTrouble("no credit");
                }
                return input + paid;
            });
        };
        try (var pawl = Pawl.openOrCreate(store())) {
            pawl.work(order.implementedBy(body));
            for (var job : List.of(pawl.submit(order, Key.of("1"), "lamp"), pawl.submit(order, Key.of("2"), "chair"))) {
                while (pawl.find(job.identity()).orElseThrow().state() != JobState.WAITING) {
                    Time.system().await(Duration.ofMillis(5));
                }
            }
        }
        assertThat(pawl("signal", "order/1", "paid", "--payload", "49", "--id", "evt_1"))
                .isZero();
        assertThat(out).isEqualTo("order/1: told paid, id evt_1\n");
        assertThat(pawl("signal", "order/1", "paid", "--payload", "49", "--id", "evt_1"))
                .isZero();
        assertThat(out).contains("was told already");
        assertThat(pawl("signal", "order/1", "paid", "--id", "evt_2", "--payload", "{"))
                .isEqualTo(2);
        assertThat(pawl("cancel", "order/2", "--note", "out of stock")).isZero();
        assertThat(pawl("signal", "order/2", "paid", "--payload", "null", "--id", "evt_1"))
                .isEqualTo(2);
        assertThat(err).contains("a signal tells something");
        assertThat(pawl("signal", "order/2", "paid", "--payload", "1", "--id", "evt_1"))
                .isEqualTo(2);
        assertThat(err).contains("is CANCELLED; nobody waits for signal paid any more");
        assertThat(pawl("show", "order/1", "--json")).isZero();
        assertThat(out).contains("\"jobId\":\"order/1\"").contains("\"leaseOwner\":null");
        try (var pawl = Pawl.openOrCreate(store())) {
            pawl.work(order.implementedBy(body));
            assertThatExceptionOfType(GateClosed.class)
                    .isThrownBy(() -> pawl.submit(order, Key.of("1"), "lamp").join());
        }
        assertThat(pawl("gates")).as("a person must open one").isEqualTo(3);
        assertThat(out)
                .contains("gate account/order is closed")
                .contains("1 job waits at it")
                .contains("pawl open account/order");
        assertThat(pawl("jobs", "--state", "waiting")).isZero();
        assertThat(out).endsWith(" WAITING   order/1  waits at gate account/order\n");
        assertThat(pawl("show", "order/1")).isZero();
        assertThat(out)
                .contains("waits at gate account/order; \"pawl gates\" says why")
                .doesNotContain("PT0S");
        assertThat(pawl("decide", "order/1", "retry", "--note", "x")).isEqualTo(2);
        assertThat(err).contains("it waits at gate account/order");
        assertThat(pawl("open", "account/nobody", "--note", "x")).isEqualTo(2);
        mended.set(true);
        assertThat(pawl("open", "account/order", "--note", "topped up")).isZero();
        assertThat(pawl("gates")).isZero();
        try (var pawl = Pawl.openOrCreate(store())) {
            pawl.work(order.implementedBy(body));
            assertThat(pawl.submit(order, Key.of("1"), "lamp").join()).isEqualTo("lamp49");
        }
    }

    @Test
    void how_far_a_job_is_and_what_it_needs_elsewhere_is_shown_and_answered() throws InterruptedException {
        var article = Workflow.named("article", String.class, String.class);
        Workflow.Body<String, String> body = (job, input) -> {
            job.progress(Progress.done(3, 10).at("writing\u202e"));
            return job.await(
                    "session",
                    String.class,
                    Rhythm.every(Duration.ofHours(1), Duration.ofHours(2)),
                    () -> Finding.needs("allow it at https://example.org/s/1"));
        };
        try (var pawl = Pawl.openOrCreate(store())) {
            pawl.work(article.implementedBy(body));
            assertThatExceptionOfType(JobPaused.class)
                    .isThrownBy(() -> pawl.submit(article, Key.of("1"), "x").join())
                    .withMessageContaining("allow it at https://example.org/s/1")
                    .withMessageContaining("it is looked at again and again");
        }
        assertThat(pawl("show", "article/1")).isZero();
        assertThat(out)
                .contains("so far: 3 of 10: writing\\u202e, said at ")
                .contains("allow it at https://example.org/s/1")
                .contains("pawl decide article/1 done --result JSON --note WHY")
                .as("nothing was sent there under a key")
                .doesNotContain("PAWL_KEY");
        assertThat(pawl("show", "article/1", "--json")).isZero();
        assertThat(out).contains("\"since\":\"", "\"key\":null");
        assertThat(out).contains("\"progress\":{\"text\":\"writing", "\"done\":3,\"of\":10}");
        assertThat(pawl("decide", "article/1", "done", "--result", "\"as anna saw it\"", "--note", "it has ended"))
                .isZero();
        try (var pawl = Pawl.openOrCreate(store())) {
            pawl.work(article.implementedBy(body));
            assertThat(pawl.submit(article, Key.of("1"), "x").join()).isEqualTo("as anna saw it");
        }
    }

    @Test
    void a_question_about_what_goes_on_elsewhere_is_as_old_as_when_it_was_first_asked_however_often_one_looks()
            throws InterruptedException {
        var article = Workflow.named("article", String.class, String.class);
        var looks = new AtomicInteger();
        var often = Rhythm.every(Duration.ofSeconds(1), Duration.ofSeconds(1));
        Workflow.Body<String, String> body = (job, input) -> job.await("session", String.class, often, () -> {
            looks.incrementAndGet();
            return Finding.needs("allow it there");
        });
        try (var pawl = Pawl.openOrCreate(store())) {
            pawl.work(article.implementedBy(body));
            assertThatExceptionOfType(JobPaused.class)
                    .isThrownBy(() -> pawl.submit(article, Key.of("1"), "x").join());
            while (looks.get() < 2) {
                Time.system().await(Duration.ofMillis(5));
            }
            await(pawl, new Identity("article", Key.of("1")), JobState.PAUSED);
        }
        var since = Pattern.compile("\"since\":\"([^\"]+)\",\"until\"");
        assertThat(pawl("show", "article/1", "--json")).isZero();
        var shown = since.matcher(out);
        assertThat(shown.find()).as(out).isTrue();
        assertThat(pawl("status", "--json")).as("a job has failed, too").isEqualTo(1);
        assertThat(since.matcher(out).results().map(told -> told.group(1))).contains(shown.group(1));
    }

    @Test
    void what_a_jobs_code_has_thrown_is_shown_with_its_stack() throws InterruptedException {
        assertThat(pawl("show", "announce/fails", "--trace")).isZero();
        assertThat(out)
                .contains("attempt 1 threw dev.pawl.failure.PermanentFailure: no luck")
                .contains("""
                        the workflow itself, attempt 1 threw
                        dev.pawl.failure.PermanentFailure: no luck
                            at dev.pawl.cli.CommandsTest.""")
                .doesNotContain("dev.pawl.engine");
        assertThat(pawl("show", "announce/fails", "--trace", "--json")).isZero();
        assertThat(out).contains("\"thrown\":[{\"at\":\"", "\"type\":\"dev.pawl.failure.PermanentFailure\"");
        assertThat(pawl("show", "announce/fails")).isZero();
        assertThat(out).doesNotContain("    at dev.pawl.cli.CommandsTest.");
        try (var pawl = Pawl.openOrCreate(store())) {
            work(pawl);
            pawl.submit(W, Key.of("well"), "fails not");
            await(pawl, new Identity("announce", Key.of("well")), JobState.PAUSED);
        }
        assertThat(pawl("show", "announce/well", "--trace")).isZero();
        assertThat(out).contains("post, attempt 1 threw\njava.lang.IllegalStateException: no answer\n");
    }

    @Test
    void jobs_that_were_begun_with_a_version_that_no_worker_fits_are_told_until_one_does() throws InterruptedException {
        assertThat(pawl("discard", "announce/fails", "--note", "enough")).isZero();
        assertThat(pawl("decide", "announce/asks", "skip", "--note", "enough")).isZero();
        var order = Workflow.named("order", String.class, String.class);
        Workflow.Body<String, String> body = (job, input) -> {
            var begun = job.step("begin", String.class, job::version);
            return begun + " "
                    + job.awaitSignal("paid", String.class, Duration.ofDays(1)).orElseThrow();
        };
        try (var pawl = Pawl.openOrCreate(store())) {
            work(pawl, order.version("v1").implementedBy(body));
            pawl.submit(order, Key.of("1"), "x");
            await(pawl, new Identity("order", Key.of("1")), JobState.WAITING);
        }
        try (var today = Pawl.openOrCreate(store())) {
            work(today, order.version("v2").implementedBy(body));
            untilItIsEnlisted(today);
            assertThat(pawl("workers")).isZero();
            assertThat(out).contains("takes announce, order (version v2)");
            assertThat(pawl("status")).as("a person must start one that fits").isEqualTo(3);
            assertThat(out)
                    .contains(
                            "fits no worker: 1 job of order, which was begun with version v1 of its code;"
                                    + " start a worker whose code has that version or runs it, or call off what is not wanted any more: pawl cancel JOB --note WHY")
                    .doesNotContain("nothing needs you");
            assertThat(pawl("status", "--json")).isEqualTo(3);
            assertThat(out).contains("\"fitsNobody\":{\"order\":{\"v1\":1}}");
            assertThat(pawl("show", "order/1")).isZero();
            assertThat(out)
                    .contains(
                            "order/1 is WAITING, resubmission 0, of version v1",
                            "it goes on with version v1 of its code");
        }
        try (var both = Pawl.openOrCreate(store())) {
            work(both, order.version("v2").runs("v1").implementedBy(body));
            untilItIsEnlisted(both);
            assertThat(pawl("status")).isZero();
            assertThat(out).doesNotContain("fits no worker");
            both.signal(order, Key.of("1"), "paid", "cash", "s");
            assertThat(both.submit(order, Key.of("1"), "x").join()).isEqualTo("v1 cash");
        }
    }

    @Test
    void what_a_failed_job_left_going_on_elsewhere_is_shown_and_ended_by_a_discard() throws InterruptedException {
        var article = Workflow.named("article", String.class, String.class);
        var ended = new CopyOnWriteArrayList<String>();
        Workflow.Body<String, String> body = (job, input) -> {
            var begins = Contract.<String>idempotent().awaitedAs("session", (session, attempt) -> ended.add(session));
            var session = job.effect("begin", begins, input, String.class, (topic, attempt) -> "s-" + topic);
            if (input.equals("bad")) {
                throw new PermanentFailure("no such style");
            }
            var rhythm = Rhythm.every(Duration.ofHours(1), Duration.ofHours(2));
            return session + job.await("session", String.class, rhythm, Finding::going);
        };
        try (var pawl = Pawl.openOrCreate(store())) {
            pawl.work(article.implementedBy(body));
            assertThatExceptionOfType(JobFailed.class)
                    .isThrownBy(() -> pawl.submit(article, Key.of("bad"), "bad").join());
            await(pawl, pawl.submit(article, Key.of("off"), "off").identity(), JobState.WAITING);
        }
        assertThat(ended).isEmpty();
        assertThat(pawl("show", "article/bad")).isZero();
        assertThat(out)
                .contains("article/bad is FAILED, resubmission 0; 1 thing that it began goes on elsewhere")
                .contains("pawl retry article/bad --note WHY", "what it began elsewhere is awaited")
                .contains("pawl discard article/bad --note WHY", "end what it began elsewhere, then give it up")
                .doesNotContain("pawl resubmit");
        assertThat(pawl("show", "article/bad", "--json")).isZero();
        assertThat(out).contains("\"owes\":1");
        pawl("status");
        assertThat(out).contains("no such style; 1 thing that it began goes on elsewhere");
        assertThat(pawl("resubmit", "article/bad", "-y", "--note", "again")).isEqualTo(2);
        assertThat(err).contains("left something going on elsewhere");
        assertThat(pawl("discard", "article/bad", "--note", "enough")).isZero();
        assertThat(out).contains("it ends first what it began elsewhere; nobody works there now");
        assertThat(pawl("cancel", "article/off", "--note", "enough")).isZero();
        assertThat(out).contains("it ends first what it began elsewhere");
        assertThat(pawl("show", "article/off")).isZero();
        assertThat(out)
                .contains("article/off is READY, resubmission 0, called off; it ends first what it began elsewhere");
        try (var pawl = Pawl.openOrCreate(store())) {
            pawl.work(article.implementedBy(body));
            for (var key : List.of("bad", "off")) {
                await(pawl, new Identity("article", Key.of(key)), JobState.CANCELLED);
            }
        }
        assertThat(ended).containsExactlyInAnyOrder("s-bad", "s-off");
        assertThat(pawl("show", "article/off")).isZero();
        assertThat(out).contains("article/off is CANCELLED", "begin/end");
    }

    @Test
    void a_job_that_is_called_off_in_doubt_says_that_it_ends_with_the_answer() throws InterruptedException {
        assertThat(pawl("cancel", "announce/asks", "--note", "no longer wanted"))
                .isZero();
        assertThat(out).contains("it ends when its question is answered");
        assertThat(pawl("jobs", "--state", "paused")).isZero();
        assertThat(out).isEqualTo("     1 PAUSED    announce/asks  called off  asks about post\n");
        assertThat(pawl("show", "announce/asks")).isZero();
        assertThat(out)
                .contains("announce/asks is PAUSED, resubmission 0, called off")
                .contains("it is not done again")
                .doesNotContain("goes on");
        assertThat(pawl("decide", "announce/asks", "skip", "--note", "nobody knows"))
                .isZero();
        assertThat(out).contains("it has ended").doesNotContain("goes on");
        try (var again = Pawl.openOrCreate(store())) {
            work(again);
            assertThatExceptionOfType(JobFailed.class)
                    .isThrownBy(() -> again.submit(W, Key.of("asks"), "asks").join());
        }
        assertThat(pawl("jobs", "--state", "cancelled")).isZero();
        assertThat(out).contains("announce/asks");
    }

    @Test
    void a_retry_says_until_when_it_waits() {
        assertThat(pawl("decide", "announce/asks", "retry", "--note", "not there"))
                .isZero();
        assertThat(out)
                .containsPattern(
                        "goes on with it once no earlier attempt can still land, at \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d .*; said again with --even-now, at once");
    }

    private static void untilItIsEnlisted(Pawl pawl) throws InterruptedException {
        while (pawl.operator().workers().stream().noneMatch(WorkerRecord::enlisted)) {
            Time.system().await(Duration.ofMillis(5));
        }
    }

    private static void await(Pawl pawl, Identity identity, JobState state) throws InterruptedException {
        while (pawl.find(identity).orElseThrow().state() != state) {
            Time.system().await(Duration.ofMillis(5));
        }
    }

    @Test
    void even_now_may_be_said_later() throws InterruptedException {
        assertThat(pawl("decide", "announce/asks", "retry", "--note", "not there"))
                .isZero();
        try (var again = Pawl.openOrCreate(store())) {
            again.work(W.implementedBy((job, input) ->
                    job.effect("post", none(), input, String.class, (request, a) -> "posted by " + a.number())));
            var asks = again.submit(W, Key.of("asks"), "asks");
            await(again, asks.identity(), JobState.WAITING);
            assertThat(pawl("decide", "announce/asks", "retry", "--even-now", "--note", "I insist"))
                    .as(err)
                    .isZero();
            assertThat(asks.join()).isEqualTo("posted by 2");
        }
        assertThat(pawl("show", "announce/asks")).isZero();
        assertThat(out).contains("even-now").contains("I insist");
    }

    @Test
    void a_job_that_waits_to_be_tried_again_is_tried_now_when_a_person_says_so() throws InterruptedException {
        var flaky = Workflow.named("flaky", String.class, String.class);
        var mended = new AtomicBoolean();
        var hour = Duration.ofHours(1);
        try (var pawl = Pawl.openOrCreate(store())) {
            pawl.work(flaky.implementedBy((job, input) -> job.step("fetch", String.class, () -> {
                        if (!mended.get()) {
                            throw new IllegalStateException("no route");
                        }
                        return input;
                    }))
                    .retry(new Retry(3, hour, hour)));
            var waits = pawl.submit(flaky, Key.of("1"), "x");
            while (pawl.find(waits.identity()).orElseThrow().neverStarted()) {
                Time.system().await(Duration.ofMillis(5));
            }
            await(pawl, waits.identity(), JobState.READY);
            mended.set(true);
            assertThat(pawl("retry", "flaky/1", "--note", "mended")).isEqualTo(2);
            assertThat(err).contains("is READY").contains("--now");
            assertThat(pawl("retry", "flaky/1", "--now", "--note", "mended"))
                    .as(err)
                    .isZero();
            assertThat(waits.join()).isEqualTo("x");
        }
        assertThat(pawl("retry", "flaky/1", "--now", "--note", "mended")).isEqualTo(2);
        assertThat(err).contains("flaky/1 is DONE");
    }

    @Test
    void a_wrong_call_is_one_sentence_and_no_stack_trace() {
        assertThat(pawl("show", "announce/nobody")).isEqualTo(2);
        assertThat(err).isEqualTo("pawl: there is no job announce/nobody; \"pawl jobs\" lists them\n");
        assertThat(pawl("decide", "announce/asks", "approve", "--note", "x")).isEqualTo(2);
        assertThat(pawl("decide", "announce/asks", "skip", "--result", "1", "--note", "x"))
                .isEqualTo(2);
        assertThat(err).contains("--result goes with done");
        assertThat(pawl("decide", "announce/asks", "skip", "--even-now", "--note", "x"))
                .isEqualTo(2);
        assertThat(err).contains("--even-now goes with retry");
        assertThat(pawl("decide", "announce/fails", "retry", "--note", "x")).isEqualTo(2);
        assertThat(err).contains("is FAILED and asks nothing");
        assertThat(pawl("retry", "announce/asks", "--note", "x"))
                .as("as of a job that is not there")
                .isEqualTo(2);
        assertThat(err).contains("is PAUSED; only a job that is FAILED can be retried");
        assertThat(pawl("decide", "announce/asks", "retry"))
                .as("a note is wanted")
                .isEqualTo(2);
    }

    @Test
    void looking_never_makes_a_store() {
        var nowhere = folder.resolve("nowhere.db");
        assertThat(Main.commandLine("jobs")
                        .setErr(new PrintWriter(new StringWriter()))
                        .execute("jobs", "--store=" + nowhere))
                .isEqualTo(2);
        assertThat(Files.exists(nowhere)).isFalse();
    }
}
