package dev.pawl.script;

import dev.pawl.yaml.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** A file is no flow; all that is wrong with it is said at once. */
public final class FlowMistaken extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    FlowMistaken(String file, List<Problem> problems) {
        super(problems.stream().map(problem -> problem.text(file)).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** What is wrong, in the order of the file. */
    public List<Problem> problems() {
        return problems;
    }
}
