package dev.pawl.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code pawl completion}: what a shell needs to know to complete what is typed. */
@Command(
        name = "completion",
        description = "Print what bash or zsh needs to complete pawl's words. Example: source <(pawl completion)",
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {

    @Override
    public Integer call() {
        System.out.print(AutoComplete.bash("pawl", Main.commandLine("--help")));
        return 0;
    }
}
