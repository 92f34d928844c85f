package dev.pawl.spring;

import dev.pawl.OpenQuestions;
import dev.pawl.Pawl;
import java.time.Duration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down only when the store does not answer, or when this application works and does not beat: whatever waits for a person is a detail. */
final class PawlHealthIndicator implements HealthIndicator {
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final Pawl pawl;
    private final OpenQuestions questions;

    PawlHealthIndicator(Pawl pawl) {
        this.pawl = pawl;
        this.questions = new OpenQuestions(pawl);
    }

    @Override
    public Health health() {
        try {
            var now = pawl.health(LONGEST);
            var told = (now.isWell() ? Health.up() : Health.down())
                    .withDetail("works", now.works())
                    .withDetail("running", now.running())
                    .withDetail("overdue", now.overdue());
            if (now.storeTrouble() != null) {
                return told.withDetail("store", now.storeTrouble()).build();
            }
            if (now.works()) {
                told.withDetail("beats", now.beats());
            }
            if (now.dueFor() != null) {
                told.withDetail("oldestDueFor", now.dueFor().toString());
            }
            return told.withDetail("questions", questions.many()).build();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Health.unknown().build();
        }
    }
}
