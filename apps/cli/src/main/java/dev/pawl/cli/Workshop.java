package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.command.Commands;
import dev.pawl.command.Relay;
import dev.pawl.event.Event;
import dev.pawl.event.Events;
import dev.pawl.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A store that is opened to work with it, and the commands that its jobs run. It is opened beside whatever its caller does first. */
final class Workshop implements AutoCloseable {
    private final Commands commands;
    private final CompletableFuture<Pawl> opening;

    /** What runs jobs that a person waits for: it stops when they do. */
    static PawlOptions options(int slots, Events events) {
        return PawlOptions.usual()
                .slots(slots)
                .grace(Duration.ofSeconds(1))
                .whenItGivesUp(LastWords.OF_A_RUN)
                .log(events);
    }

    /** How loud what happens must be to be told. */
    static Event.Level least(boolean quiet) {
        return quiet ? Event.Level.LOUD : Event.Level.NOTICE;
    }

    Workshop(StoreOption store, PawlOptions options, Commands.Watcher watcher, Relay relay) {
        this.commands = new Commands(Time.system(), () -> store.commands(this::pawl), watcher, relay);
        this.opening = CompletableFuture.supplyAsync(() -> store.openOrMake(options));
    }

    Commands commands() {
        return commands;
    }

    /** The store, as soon as it is open. */
    Pawl pawl() {
        try {
            return opening.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException why ? why : e;
        }
    }

    /**
     * Tells the store what commands have come to that their workers did not live to tell, as far as this machine knows it, and forgets what
     * commands of finished jobs left behind.
     */
    void sweep() throws IOException {
        var pawl = pawl();
        var ends = commands.ends();
        for (var end : ends) {
            pawl.operator().tell(end);
        }
        commands.sweep(
                ends,
                identity -> pawl.find(identity)
                        .map(found -> found.state().finished())
                        .orElse(false));
    }

    @Override
    public void close() throws IOException {
        try {
            var opened = opening.handle((pawl, notOpened) -> Optional.ofNullable(pawl))
                    .join();
            opened.ifPresent(Pawl::close);
            GoesOnAlone.tell(
                    commands.stillRunning(),
                    opened.map(pawl -> pawl.operator().storeOption()).orElse(""));
        } finally {
            commands.close();
        }
    }
}
