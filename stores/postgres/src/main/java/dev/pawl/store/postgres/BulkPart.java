package dev.pawl.store.postgres;

import java.sql.SQLException;
import java.util.List;

/** What the changes of one kind do in an exchange: their statements, what is given to these, and what their answers mean. Not thread-safe. */
interface BulkPart {

    /** Whether there is any such change. */
    boolean any();

    /** The statements, in their order. */
    List<String> sql();

    void bind(Binding binding) throws SQLException;

    void read(StatementResults results) throws SQLException;
}
