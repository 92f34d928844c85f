package dev.pawl.examples;

import dev.pawl.Pawl;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;

/** One agent calls another: a job of its own, the same one for the same key, whoever calls it and however often. */
public final class CallAnotherJob {
    private static final Workflow<String, String> TRANSLATE = Workflow.named("translate", String.class, String.class);
    private static final Workflow<String, String> PAGE = Workflow.named("page", String.class, String.class);

    private CallAnotherJob() {}

    static String page(Job job, String title) {
        var german = job.call("german", TRANSLATE, Key.of("de", title), title);
        var again = job.call("german-for-the-footer", TRANSLATE, Key.of("de", title), title);
        return german + " / " + again;
    }

    static String translate(Job job, String text) {
        return job.step("ask-the-model", String.class, () -> {
            System.out.println("translating " + text);
            return "Zäune";
        });
    }

    /** Makes a page whose title another job translates, once. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            pawl.work(PAGE.implementedBy(CallAnotherJob::page), TRANSLATE.implementedBy(CallAnotherJob::translate));
            System.out.println(pawl.submit(PAGE, Key.of("fences"), "Fences").join());
        }
    }
}
