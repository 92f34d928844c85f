package dev.pawl.batch;

import dev.pawl.job.Handling;
import dev.pawl.job.Workflow;
import tools.jackson.databind.JsonNode;

/**
 * What is done for each row.
 *
 * @param code that does it; its workflow is the batch
 * @param handling how the jobs of the rows are taken
 */
public record RowWork(Workflow.Implementation<JsonNode, JsonNode> code, Handling handling) {}
