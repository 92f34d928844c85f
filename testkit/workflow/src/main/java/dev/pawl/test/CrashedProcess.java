package dev.pawl.test;

import dev.pawl.engine.local.EngineOptions;
import dev.pawl.engine.local.EnginePorts;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.event.Events;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Message;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A process that works at a job until the job has ended, or until it has come to the commit where it is to be killed; then it says so and waits for that.
 */
final class CrashedProcess {
    private static final Duration ROUND = Duration.ofMillis(5);

    private CrashedProcess() {}

    /**
     * What such a process has to do.
     *
     * @param subject the class of the workflow
     * @param folder where the store, the notebook and the clock are
     * @param key the job's key, encoded
     * @param input the job's input
     * @param signals what is sent to the job
     * @param commit at which commit it is killed; 0 for never
     * @param after whether it is killed after that commit, or before
     */
    record Errand(
            String subject, String folder, String key, String input, List<Message> signals, int commit, boolean after) {
        Path store() {
            return Path.of(folder, "pawl.db");
        }

        Notebook notebook() {
            return new Notebook(Path.of(folder, "notebook"));
        }

        /** Where the process says that it has ended, or that it may be killed: not where the user's code prints. */
        Path lastWord() {
            return Path.of(folder, "last-word");
        }

        Leaps clock() {
            return new LeapingTime(Path.of(folder, "leapt"));
        }
    }

    /** The errand, as JSON. */
    public static void main(String[] arguments) throws ReflectiveOperationException, InterruptedException {
        var errand = Json.read(arguments[0], Errand.class);
        if (errand == null) {
            throw new IllegalArgumentException("no errand");
        }
        var made = Class.forName(errand.subject()).getDeclaredConstructor();
        made.setAccessible(true);
        work(errand, (Crashable<?, ?>) made.newInstance());
    }

    private static void say(Errand errand, String word) {
        try {
            var written = Files.writeString(Path.of(errand.folder(), "word"), word);
            Files.move(written, errand.lastWord(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void work(Errand errand, Crashable<?, ?> subject) throws InterruptedException {
        var clock = errand.clock();
        var outside = new Outside(errand.notebook());
        var witness = new Witness(errand.notebook());
        var all = new ArrayList<Workflow.Implementation<?, ?>>();
        var code = subject.code(outside);
        all.add(witness.watching(code));
        subject.others(outside).forEach(other -> all.add(witness.watching(other)));
        var identity = new Identity(code.workflow().name(), Key.decode(errand.key()));
        var random = new Random();
        var store = SqliteStore.open(errand.store(), clock);
        var mortal = MortalStore.ofRealProcess(
                store, errand.commit() == 0 ? null : new CrashPoint(errand.commit(), errand.after()));
        var around = new EnginePorts(
                clock,
                (purpose, name, work) -> Thread.ofPlatform().daemon().name(name).start(work),
                random,
                Events.NOWHERE);
        var engine = new LocalEngine(mortal.asStore(), around, EngineOptions.usual("crash-everywhere"));
        Thread.ofPlatform().daemon().start(() -> {
            engine.work(all);
            engine.submit(identity, errand.input());
        });
        var bystander = new Bystander(store, clock, witness, errand.signals(), random);
        while (true) {
            if (mortal.dead()) {
                say(errand, "at " + mortal.where());
                new Signal().await(Time.system(), 0, Duration.ofDays(1));
            }
            var job = store.find(identity).orElse(null);
            if (job != null && job.state().finished() && !mortal.dead()) {
                say(errand, "ended");
                Runtime.getRuntime().halt(0);
            }
            if (job != null) {
                bystander.help(job, engine);
            }
            new Signal().await(Time.system(), 0, ROUND);
        }
    }
}
