package dev.pawl.examples;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.job.Handling;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.time.Duration;

/** Each job acts for somebody, and only a process that may act for them takes it. */
public final class OnWhoseBehalf {
    private static final Workflow<String, String> POST = Workflow.named("post-as", String.class, String.class);

    private OnWhoseBehalf() {}

    private static Workflow.Implementation<String, String> posting(String account) {
        return POST.implementedBy((job, text) ->
                job.step("post", String.class, () -> account + " posts \"" + text + "\" for " + job.principal()));
    }

    /** Anna's worker leaves Bruno's job alone; Bruno's takes it. */
    public static void main(String[] arguments) throws InterruptedException {
        var file = StoreFile.of(arguments);
        try (var annas = Pawl.openOrCreate(file, PawlOptions.usual().principals("anna"))) {
            annas.work(posting("anna's account"));
            var hers = annas.submit(POST, Key.of(1), "hello", Handling.usual().principal("anna"));
            var his = annas.submit(POST, Key.of(2), "ciao", Handling.usual().principal("bruno"));
            System.out.println(hers.join());
            System.out.println("taken: " + his.join(Duration.ofMillis(300)).isPresent());
        }
        try (var brunos = Pawl.openOrCreate(file, PawlOptions.usual().principals("bruno"))) {
            brunos.work(posting("bruno's account"));
            System.out.println(brunos.submit(POST, Key.of(2), "ciao").join());
        }
    }
}
