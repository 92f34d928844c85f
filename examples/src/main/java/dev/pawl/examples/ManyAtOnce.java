package dev.pawl.examples;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.job.Named.named;

import dev.pawl.Pawl;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;

/** The same for many items, a few at once: each item has its own steps and effects, found again by its key. */
public final class ManyAtOnce {
    /** An article of the newsletter. */
    public record Article(String slug, String title) {}

    private static final Workflow<String, Integer> NEWSLETTER =
            Workflow.named("newsletter", String.class, Integer.class);

    private final ConcurrentSkipListSet<String> site = new ConcurrentSkipListSet<>();

    int publish(Job job, String week) {
        var articles =
                List.of(new Article("fences", "Fences"), new Article("leases", "Leases"), new Article("keys", "Keys"));
        var urls = job.map(named("publish").atOnce(2), articles, Article::slug, (each, article) -> {
            var text = each.step("write", String.class, () -> "All about " + article.title());
            return each.effect("post", idempotent(), text, String.class, (request, a) -> {
                site.add(article.slug() + ": " + request);
                return "https://example.org/" + article.slug();
            });
        });
        return urls.size();
    }

    /** Publishes the articles of a week. */
    public static void main(String[] arguments) throws InterruptedException {
        var code = new ManyAtOnce();
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            pawl.work(NEWSLETTER.implementedBy(code::publish));
            var posts = pawl.submit(NEWSLETTER, Key.of("2026-W15"), "week 15").join();
            code.site.forEach(System.out::println);
            System.out.println(posts + " posts");
        }
    }
}
