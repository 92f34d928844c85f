package dev.pawl.cli;

import dev.pawl.desk.Fields;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pawl check FLOW…}: says what is wrong with flows, with line and column. */
@Command(
        name = "check",
        description = "Say what is wrong with a flow, with line and column. Example: pawl check daily-pr.yaml",
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private JsonOption json;

    @Parameters(paramLabel = "FLOW", arity = "1..*", description = "A flow's YAML file.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private List<Path> files;

    @Override
    public Integer call() throws Exception {
        for (var file : files) {
            var flow = Flows.runnable(file);
            var many = flow.steps().size();
            json.say(
                    file + ": workflow " + flow.name() + ", " + many + (many == 1 ? " step" : " steps"),
                    Fields.of("flow", file.toString(), "workflow", flow.name(), "steps", many));
        }
        return 0;
    }
}
