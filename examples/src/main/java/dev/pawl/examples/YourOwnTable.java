package dev.pawl.examples;

import dev.pawl.Pawl;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;

/** A row of your own in the store's database, committed together with the record that it was written: both or neither, never in doubt. */
public final class YourOwnTable {

    private static final Workflow<Integer, Integer> DEPOSIT = Workflow.named("deposit", Integer.class, Integer.class);

    private YourOwnTable() {}

    /** Adds to a balance once, however often it is run. */
    public static void main(String[] arguments) throws InterruptedException {
        for (var run = 1; run <= 2; run++) {
            try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
                pawl.work(DEPOSIT.implementedBy((job, amount) ->
                        job.transaction("add", amount, Integer.class, (request, connection) -> {
                            try (var statement = connection.createStatement()) {
                                statement.execute("create table if not exists account (balance integer not null)");
                                statement.execute(
                                        "insert into account select 0 where not exists (select 1 from account)");
                                statement.execute("update account set balance = balance + " + request.intValue());
                                try (var row = statement.executeQuery("select balance from account")) {
                                    row.next();
                                    return row.getInt(1);
                                }
                            }
                        })));
                System.out.println("balance "
                        + pawl.submit(DEPOSIT, Key.of("invoice-7"), 50).join());
            }
        }
    }
}
