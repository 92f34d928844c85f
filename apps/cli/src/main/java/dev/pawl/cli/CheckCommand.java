package dev.pawl.cli;

import dev.pawl.command.Program;
import dev.pawl.script.FlowReader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code pawl check FLOW…}: says what is wrong with flows, with line and column. */
@Command(
        name = "check",
        description = "Say what is wrong with a flow, with line and column. Example: pawl check daily-pr.yaml",
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FLOW", arity = "1..*", description = "A flow's YAML file.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private List<Path> files;

    @Override
    public Integer call() throws Exception {
        for (var file : files) {
            var flow = FlowReader.read(Flows.readable(file));
            for (var program : flow.programs()) {
                var trouble = Program.trouble(program, flow.directory(), System.getenv());
                if (trouble != null) {
                    throw new IllegalArgumentException(file + ": " + trouble);
                }
            }
            System.out.println(
                    file + ": workflow " + flow.name() + ", " + flow.steps().size() + " steps");
        }
        return 0;
    }
}
