package dev.pawl.checks.crash.matrix;

import dev.pawl.checks.crash.Tally;
import dev.pawl.decision.QuestionKind;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Store;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Looks at what is left of a cell: what the tally counted, and what the store says. */
final class Inquest {
    private final Path folder;
    private final Cell cell;
    private final Map<String, Integer> counted = new HashMap<>();

    Inquest(Path folder, Cell cell, Tally tally) {
        this.folder = folder;
        this.cell = cell;
        counted.putAll(tally.once());
        counted.putAll(tally.each());
    }

    void judge(Verdict.Count count) {
        try (var store = SqliteStore.open(folder.resolve("pawl.db"), Time.system())) {
            var row = cell.row();
            judge(store, Actor.identity(row), row.end(), row.effects(), count);
            if (row == Row.ROWS) {
                Rows.judge(store, count);
            }
            if (row == Row.CHILD) {
                judge(store, new Identity(Actor.CHILD.name(), Key.of("child")), JobState.DONE, List.of("send"), count);
            }
        }
        if (cell.row() == Row.TRANSACTION) {
            judgeBook(count);
        }
        counted.forEach((key, times) -> {
            if (times > 1 && !cell.trip().change().equals(Actor.SEND)) {
                count.duplicated(times + " times under one key");
            }
        });
    }

    private void judge(Store store, Identity identity, JobState end, List<String> effects, Verdict.Count count) {
        var job = store.find(identity).orElse(null);
        if (job == null) {
            count.lost("the job is not there");
            return;
        }
        if (job.state() != end) {
            count.stuck("the job is " + job.state() + " " + job.outcome() + " instead of " + end);
        }
        for (var run = 0; run <= job.standing().resubmission(); run++) {
            for (var effect : effects) {
                judgeEffect(EffectKey.of(identity, Place.parse(effect), run), effect, count);
            }
        }
        judgeDoubt(job, store.journal(job.id()), count);
    }

    private void judgeEffect(String key, String effect, Verdict.Count count) {
        var times = counted.getOrDefault(key, 0);
        if (times == 0) {
            count.lost(effect + " never happened");
        }
        if (times > 1 && cell.row() == Row.FENCED) {
            count.duplicated(effect + " although the destination checks fences");
        }
    }

    /** Where there is no contract, nothing is done again before a person has spoken. */
    private void judgeDoubt(StoredJob job, List<JournalLine> lines, Verdict.Count count) {
        var open = false;
        for (var line : lines) {
            switch (line.entry()) {
                case Entry.Intended intended -> {
                    if (open && Row.WITHOUT_CONTRACT.contains(cell.row())) {
                        count.duplicated(intended.place() + " was begun again in doubt, and nobody was asked");
                    }
                    open = true;
                }
                case Entry.Answered ignored -> open = false;
                case Entry.Decided ignored -> open = false;
                case Entry.Duplicated ignored -> count.reported();
                case Entry.Asked asked -> count.paused(asked.question().kind() == QuestionKind.APPROVE ? 0 : 1);
                default -> {}
            }
        }
        if (cell.trip().change().equals(Actor.SEND) && cell.row() == Row.NONE) {
            var twice = counted.values().stream().anyMatch(times -> times > 1);
            var told = lines.stream().anyMatch(line -> line.entry() instanceof Entry.Duplicated);
            if (twice && !told) {
                count.duplicated("silently, by a process that was frozen between check and send: " + job.identity());
            }
            // On a machine that is slow, its time is up before the request is out: then it says only that it may have
            // been sent.
            if (!twice && !told) {
                count.stuck("the freeze between check and send had no effect, so this cell shows nothing");
            }
        }
    }

    private void judgeBook(Verdict.Count count) {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("pawl.db"));
                var statement = connection.createStatement();
                var row = statement.executeQuery("select count(*) from book")) {
            var rows = row.next() ? row.getInt(1) : 0;
            if (rows == 0) {
                count.lost("the user's own row");
            } else if (rows > 1) {
                count.duplicated("the user's own row, " + rows + " times");
            }
        } catch (SQLException e) {
            count.lost("the user's own table: " + e.getMessage());
        }
    }
}
