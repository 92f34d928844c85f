package dev.pawl.batch;

import dev.pawl.command.CommandCall;
import dev.pawl.command.Commands;
import dev.pawl.command.Order;
import dev.pawl.effect.Contract;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.job.Workflow;
import dev.pawl.retry.Retry;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A command that is run for each row: it reads the row from its standard input.
 *
 * @param order what is run
 * @param reading what its exit codes mean
 * @param contract what its destination can do; null when it is free to repeat
 * @param verify the command that asks whether it happened; null when there is none
 */
public record RowCommand(
        Order order,
        CommandCall.Reading reading,
        @Nullable Contract<JsonNode> contract,
        @Nullable Order verify) {
    private static final Named RUN = Named.named("run");

    /** The workflow of the batch {@code name}: this command for each of its rows. */
    public Workflow.Implementation<JsonNode, JsonNode> code(String name, Commands commands, Retry retry) {
        return Workflow.named(name, JsonNode.class, JsonNode.class)
                .implementedBy((job, row) -> run(job, row, commands))
                .retry(retry);
    }

    private JsonNode run(Job job, JsonNode row, Commands commands) {
        var call = new CommandCall(order, row + "\n", reading);
        if (contract == null) {
            return commands.step(job, RUN, call);
        }
        var whole = verify == null
                ? contract
                : contract.orVerifiable(commands.verify(job, RUN, new CommandCall(verify, row + "\n", reading)));
        return commands.effect(job, RUN, whole, call);
    }
}
