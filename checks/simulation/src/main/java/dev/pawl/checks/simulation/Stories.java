package dev.pawl.checks.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Nights of the simulation as values of TLA+, for the model to replay. */
public final class Stories {
    private static final int LONGEST = 600;

    private static final int MOST_LOOKS = 20;

    private final List<Story> all = new ArrayList<>();
    private int looked;

    private Stories() {}

    /** The first so many nights that are neither too long for the model nor beyond it. */
    public static Stories first(int many) {
        var stories = new Stories();
        for (var seed = 1L; stories.all.size() < many; seed++) {
            if (seed > MOST_LOOKS * (long) many) {
                throw new IllegalStateException("too few of " + seed + " nights can be told");
            }
            stories.looked++;
            var story = Simulation.story(seed);
            if (story.beyond() == null && story.length() <= LONGEST) {
                stories.all.add(story);
            }
        }
        return stories;
    }

    /** Of how many nights they are the ones that can be told. */
    public int looked() {
        return looked;
    }

    /** How many there are. */
    public int size() {
        return all.size();
    }

    /** How often each action of the model occurs in them. */
    public Map<String, Integer> actions() {
        var counts = new TreeMap<String, Integer>();
        all.forEach(story -> story.actions().forEach((action, times) -> counts.merge(action, times, Integer::sum)));
        return counts;
    }

    /** Writes them as a module. */
    public void write(Path file) throws IOException {
        var text = new StringBuilder("---- MODULE Stories ----\nEXTENDS Integers, Sequences\n");
        for (var i = 0; i < all.size(); i++) {
            text.append("Story")
                    .append(i + 1)
                    .append(" == ")
                    .append(all.get(i).tla())
                    .append('\n');
        }
        text.append("Stories == <<");
        for (var i = 0; i < all.size(); i++) {
            text.append(i == 0 ? "" : ", ").append("Story").append(i + 1);
        }
        text.append(">>\n");
        text.append("MostWorkers == ")
                .append(all.stream().mapToInt(Story::manyWorkers).max().orElse(1))
                .append('\n');
        text.append("MostJobs == ")
                .append(all.stream().mapToInt(Story::manyJobs).max().orElse(1))
                .append('\n');
        text.append("MostPlaces == ")
                .append(Math.max(
                        1, all.stream().mapToInt(Story::manyPlaces).max().orElse(1)))
                .append('\n');
        Files.writeString(file, text.append("====\n"));
    }
}
