package dev.pawl.store.jdbc;

import dev.pawl.job.JobState;
import dev.pawl.json.Json;
import dev.pawl.key.Encoding;
import dev.pawl.key.Key;
import dev.pawl.look.ClaimGroup;
import dev.pawl.look.EndedJobs;
import dev.pawl.look.JobPage;
import dev.pawl.look.JobQuery;
import dev.pawl.look.JobSummary;
import dev.pawl.look.TimeWindow;
import dev.pawl.look.UnfinishedJobs;
import dev.pawl.store.JobPosition;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lists and counts of jobs. What has not ended is found by the indexes that work goes by, all of it each time; what has ended by an index of its own, in the
 * order of the list, so that a page costs the same however much has ended. Not thread-safe.
 */
final class JdbcLists {
    /** So many ended jobs whose keys begin alike are put in order; where there are more, they are met soon enough in the order of the list. */
    private static final int MOST_NAMED = 1_000;

    /** So many jobs are looked through for one page, where they are met in the order of the list. */
    private static final int MOST_EXAMINED = 1_000;

    /** Where jobs of a state that is no end are found, without a look at any that has ended. */
    private static final Map<JobState, String> OPEN = new EnumMap<>(Map.of(
            JobState.READY, "due is not null and state = READY",
            JobState.RUNNING, "owner <> 0 and owner > 0",
            JobState.WAITING, "state = WAITING and state in (WAITING, PAUSED)",
            JobState.PAUSED, "state = PAUSED and state in (WAITING, PAUSED)"));

    private final Statements sql;
    private final Dialect dialect;

    JdbcLists(Statements sql, Dialect dialect) {
        this.sql = sql;
        this.dialect = dialect;
    }

    // ---- pages

    JobPage jobs(JobQuery query) throws SQLException {
        var before = JobPosition.before(query.part());
        var groups = groups(query.of());
        if (groups.isEmpty()) {
            return new JobPage(List.of(), null);
        }
        var ids = Json.write(groups.keySet());
        if (query.of().keyPrefix().isEmpty()) {
            var part = query.part();
            return page(query, positions(query, ids, before, part.most() + 1), part.most());
        }
        return named(query, ids, before);
    }

    /** The jobs at the first {@code most} of these positions, and where to go on if there are more. */
    private JobPage page(JobQuery query, List<JobPosition> found, int most) throws SQLException {
        var shown = found.subList(0, Math.min(most, found.size()));
        var next = found.size() > most ? shown.getLast().cursor() : null;
        return new JobPage(fitting(query, shown), next);
    }

    /**
     * Jobs whose keys begin with something. Where most do, the next ones in the order of the list are enough; where few do, they are found by name and put in
     * order; between the two, the list is looked through as far as that leads on one page.
     */
    private JobPage named(JobQuery query, String groups, JobPosition before) throws SQLException {
        var most = query.part().most();
        var next = positions(query, groups, before, most + 1);
        var alike = new ArrayList<>(beginningAlike(query, next));
        if (alike.size() > most || next.size() <= most) {
            return page(query, alike, most);
        }
        var range = KeyRange.of(query.of().keyPrefix());
        var byName = byName(query, groups, before, range);
        if (byName == null) {
            return examined(query, groups, next.getLast(), alike);
        }
        byName.addAll(beginningAlike(query, open(query, groups, before, Integer.MAX_VALUE)));
        byName.sort(JobPosition.order(query.part().newestFirst()));
        return page(query, range.exact() ? byName : beginningAlike(query, byName), most);
    }

    /** Jobs that ended and whose keys lie in {@code range}, the first of them; null when too many keys lie there, whatever became of their jobs. */
    private @Nullable List<JobPosition> byName(JobQuery query, String groups, JobPosition before, KeyRange range)
            throws SQLException {
        if (query.ended().states().isEmpty()) {
            return new ArrayList<>();
        }
        var bounds = Bounds.of(query, before);
        var values = new ArrayList<@Nullable Object>(List.of(groups, range.first(), range.behind(), MOST_NAMED + 1));
        values.add(Json.write(EndingCodes.in(query)));
        bounds.bind(values);
        values.add(range.exact() ? query.part().most() + 1 : MOST_NAMED);
        var found = new ArrayList<JobPosition>();
        var jobs = dialect.jobsByName();
        sql.each(
                "with named as materialized (select changed, seq, ending from " + jobs.from() + " where " + jobs.group()
                        + dialect.amongNumbers() + within(jobs.name())
                        + " limit ?) select count(*), -1 from named union all select * from ("
                        + "select changed, seq from named where ending is not null and ending" + dialect.amongNumbers()
                        + bounds.sql()
                        + " order by "
                        + order(query, "") + " limit ?) first",
                row -> found.add(new JobPosition(row.getLong(1), row.getLong(2))),
                values.toArray());
        return found.removeFirst().changed() > MOST_NAMED ? null : found;
    }

    private static String within(String name) {
        return " and " + name + " >= ? and " + name + " < ?";
    }

    /** Goes on behind {@code after}, where {@code found} was found before. */
    private JobPage examined(JobQuery query, String groups, JobPosition after, List<JobPosition> found)
            throws SQLException {
        var most = query.part().most();
        var from = after;
        for (var examined = 0; examined < MOST_EXAMINED; examined += MOST_EXAMINED / 2) {
            var batch = positions(query, groups, from, MOST_EXAMINED / 2);
            found.addAll(beginningAlike(query, batch));
            if (found.size() > most || batch.size() < MOST_EXAMINED / 2) {
                return page(query, found, most);
            }
            from = batch.getLast();
        }
        return new JobPage(fitting(query, found), from.cursor());
    }

    /** Those of which the keys begin as they are to. */
    private List<JobPosition> beginningAlike(JobQuery query, List<JobPosition> positions) throws SQLException {
        var prefix = query.of().keyPrefix();
        var alike = new HashSet<Long>();
        for (var from = 0; from < positions.size(); from += MOST_EXAMINED) {
            var some = positions.subList(from, Math.min(from + MOST_EXAMINED, positions.size()));
            sql.each(
                    "select seq, key from pawl.job where seq" + dialect.amongNumbers(),
                    row -> {
                        if (Key.decode(row.getString(2)).toString().startsWith(prefix)) {
                            alike.add(row.getLong(1));
                        }
                    },
                    Json.write(some.stream().map(JobPosition::id).toList()));
        }
        return positions.stream().filter(one -> alike.contains(one.id())).toList();
    }

    /** The first positions behind {@code before}, whatever the keys are. Who ends meanwhile is found at both places, and counts once. */
    private List<JobPosition> positions(JobQuery query, String groups, JobPosition before, int most)
            throws SQLException {
        var byId = new HashMap<Long, JobPosition>();
        open(query, groups, before, most).forEach(one -> byId.put(one.id(), one));
        ended(query, groups, before, most).forEach(one -> byId.put(one.id(), one));
        return byId.values().stream()
                .sorted(JobPosition.order(query.part().newestFirst()))
                .limit(most)
                .toList();
    }

    /** Where all that have not ended stand, as the query asks for them, whatever part it names. */
    List<JobPosition> open(JobQuery query) throws SQLException {
        var groups = groups(query.of());
        return groups.isEmpty()
                ? List.of()
                : open(
                        query,
                        Json.write(groups.keySet()),
                        JobPosition.start(query.part().newestFirst()),
                        Integer.MAX_VALUE);
    }

    private List<JobPosition> open(JobQuery query, String groups, JobPosition before, int most) throws SQLException {
        var prefix = query.of().keyPrefix();
        var range = prefix.isEmpty() ? null : KeyRange.of(prefix);
        var sources = new ArrayList<String>();
        var values = new ArrayList<@Nullable Object>();
        var bounds = Bounds.of(query, before);
        for (var state : query.states()) {
            var which = OPEN.get(state);
            if (which != null && query.classes().isEmpty()) {
                sources.add("select changed, seq from pawl.job where claim_group" + dialect.amongNumbers() + " and "
                        + which + bounds.sql() + (range == null ? "" : within(dialect.keyText())));
                values.add(groups);
                bounds.bind(values);
                if (range != null) {
                    values.addAll(List.of(range.first(), range.behind()));
                }
            }
        }
        if (sources.isEmpty()) {
            return List.of();
        }
        var found = new ArrayList<JobPosition>();
        values.add(most);
        sql.each(
                "select changed, seq from (" + String.join(" union all ", sources) + ") open order by "
                        + order(query, "") + " limit ?",
                row -> found.add(new JobPosition(row.getLong(1), row.getLong(2))),
                values.toArray());
        return found;
    }

    private List<JobPosition> ended(JobQuery query, String groups, JobPosition before, int most) throws SQLException {
        var codes = EndingCodes.in(query);
        if (codes.isEmpty()) {
            return List.of();
        }
        var bounds = Bounds.of(query, before);
        var values = new ArrayList<@Nullable Object>(List.of(groups, Json.write(codes)));
        bounds.bind(values);
        values.add(most);
        return dialect.ended(sql, new Dialect.EndedOrder(bounds.sql(), order(query, "")), most, values);
    }

    private static String order(JobQuery query, String of) {
        var way = query.part().newestFirst() ? " desc" : "";
        return of + "changed" + way + ", " + of + "seq" + way;
    }

    /**
     * From where to where a page reads.
     *
     * @param first the earliest time
     * @param last the latest
     * @param before where the page before it ended
     */
    private record Bounds(long first, long last, JobPosition before, boolean newestFirst) {
        static Bounds of(JobQuery query, JobPosition before) {
            var window = query.changed();
            var from = window.firstMilli();
            var to = window.lastMilli();
            var newestFirst = query.part().newestFirst();
            return newestFirst
                    ? new Bounds(from, Math.min(to, before.changed()), before, true)
                    : new Bounds(Math.max(from, before.changed()), to, before, false);
        }

        String sql() {
            return " and changed >= ? and changed <= ? and (changed <> ? or seq " + (newestFirst ? "<" : ">") + " ?)";
        }

        void bind(List<@Nullable Object> values) {
            values.addAll(List.of(first, last, before.changed(), before.id()));
        }
    }

    /** The jobs at these positions, in their order: those that are still what was asked for. */
    List<JobSummary> fitting(JobQuery query, List<JobPosition> positions) throws SQLException {
        if (positions.isEmpty()) {
            return List.of();
        }
        var found = new HashMap<Long, JobSummary>();
        summaries(
                        "where seq" + dialect.amongNumbers(),
                        Json.write(positions.stream().map(JobPosition::id).toList()))
                .forEach(job -> found.put(job.id(), job));
        return positions.stream()
                .map(one -> found.get(one.id()))
                .filter(Objects::nonNull)
                .filter(query::fits)
                .toList();
    }

    /** Jobs without payloads, but for pruned ones. */
    List<JobSummary> summaries(String which, Object... values) throws SQLException {
        var found = new ArrayList<JobSummary>();
        sql.each(
                "select " + RowMapping.SUMMARY + RowMapping.FROM_JOB + which,
                row -> {
                    var job = RowMapping.job(row);
                    if (!job.pruned()) {
                        found.add(JobSummary.of(job));
                    }
                },
                values);
        return found;
    }

    // ---- counts

    List<UnfinishedJobs> unfinished(Instant since, Instant now) throws SQLException {
        var sources = new ArrayList<String>();
        OPEN.values()
                .forEach(which -> sources.add(
                        "select claim_group, state, owner, changed, due, seq from pawl.job where " + which));
        var found = new ArrayList<NumberedGroup<UnfinishedJobs>>();
        sql.each(
                "select claim_group, state, owner, count(*), sum(case when changed >= ? then 1 else 0 end),"
                        + " sum(case when due is null then 1 else 0 end), min(due), min(case when state = RUNNING or due <= ? then seq end), min(seq)"
                        + " from (" + String.join(" union all ", sources) + ") open group by claim_group, state, owner",
                row -> {
                    var state = RowMapping.state(row.getInt(2));
                    var owner = row.getLong(3);
                    var many = new UnfinishedJobs.HowMany(row.getLong(4), row.getLong(5), row.getLong(6));
                    var first =
                            new UnfinishedJobs.First(RowMapping.instantOrNull(row, 7), row.getLong(8), row.getLong(9));
                    found.add(new NumberedGroup<>(
                            row.getLong(1), group -> new UnfinishedJobs(group, state, owner, many, first)));
                },
                TimeWindow.since(since).firstMilli(),
                TimeWindow.since(now).firstMilli());
        return named(found);
    }

    /** A line about a group of which only the number is known. */
    private record NumberedGroup<T>(long group, Function<ClaimGroup, T> line) {}

    /** Names are looked up last: a group that was just made is there by then. */
    private <T> List<T> named(List<NumberedGroup<T>> lines) throws SQLException {
        var names = groups(ANY);
        return lines.stream()
                .map(one -> one.line().apply(Objects.requireNonNull(names.get(one.group()))))
                .toList();
    }

    private record EndedAlike(long group, int ending) {}

    List<EndedJobs> ended(TimeWindow window) throws SQLException {
        var from = window.from() == null ? null : window.firstMilli();
        var to = window.to() == null ? null : window.lastMilli() + 1;
        // Whole days are counted already; what is left of the first and of the last one is counted now.
        var firstDay = from == null ? Long.MIN_VALUE : JdbcTally.day(from - 1) + 1;
        var behindDay = to == null ? Long.MAX_VALUE : JdbcTally.day(to);
        var counted = new HashMap<EndedAlike, Long>();
        if (from == null && to == null) {
            sum(JdbcTally.EVER, JdbcTally.EVER + 1, counted);
        } else if (firstDay < behindDay) {
            sum(Math.max(firstDay, 0), behindDay, counted);
            if (from != null) {
                count(from, JdbcTally.begins(firstDay), counted);
            }
            if (to != null) {
                count(JdbcTally.begins(behindDay), to, counted);
            }
        } else {
            count(Objects.requireNonNull(from), Objects.requireNonNull(to), counted);
        }
        var ever = from == null && to == null;
        var found = new ArrayList<NumberedGroup<EndedJobs>>();
        counted.forEach((alike, many) -> {
            var pruned = EndingCodes.isPruned(alike.ending());
            if (many > 0 && (ever || !pruned)) {
                found.add(new NumberedGroup<>(
                        alike.group(),
                        group -> new EndedJobs(
                                group,
                                EndingCodes.state(alike.ending()),
                                EndingCodes.failure(alike.ending()),
                                pruned,
                                many)));
            }
        });
        return named(found);
    }

    private void sum(long firstDay, long behindDay, Map<EndedAlike, Long> counted) throws SQLException {
        sql.each(
                "select claim_group, ending, sum(many) from pawl.tally where day >= ? and day < ? group by claim_group, ending",
                row -> counted.merge(new EndedAlike(row.getLong(1), row.getInt(2)), row.getLong(3), Long::sum),
                firstDay,
                behindDay);
    }

    /** Each group and each way to end by itself: so the index leads from the first to the last, and nothing else is read. */
    private void count(long from, long to, Map<EndedAlike, Long> counted) throws SQLException {
        if (from >= to) {
            return;
        }
        sql.each(
                "select g.id, e.code, (select count(*) from pawl.job where claim_group = g.id and ending = e.code and ending is not null"
                        + " and changed >= ? and changed < ?) from pawl.claim_group g cross join (" + EndingCodes.ALL
                        + ") e",
                row -> counted.merge(new EndedAlike(row.getLong(1), row.getInt(2)), row.getLong(3), Long::sum),
                from,
                to);
    }

    // ---- groups

    private static final JobQuery.WhoseJobs ANY = new JobQuery.WhoseJobs(null, null, null, "");

    private Map<Long, ClaimGroup> groups(JobQuery.WhoseJobs of) throws SQLException {
        var found = new TreeMap<Long, ClaimGroup>();
        sql.each(
                "select id, workflow, queue, on_behalf_of, version from pawl.claim_group where workflow = coalesce(?, workflow)"
                        + " and queue = coalesce(?, queue) and on_behalf_of = coalesce(?, on_behalf_of)",
                row -> found.put(
                        row.getLong(1),
                        new ClaimGroup(row.getString(2), row.getString(3), row.getString(4), row.getString(5))),
                of.workflow(),
                of.queue(),
                of.principal());
        return found;
    }

    /**
     * Where keys lie that begin with something, in the order of their encoded forms without what stands before the first part.
     *
     * @param first the first of them
     * @param behind what comes after the last
     * @param exact whether no others lie among them
     */
    private record KeyRange(String first, String behind, boolean exact) {
        /** What stands for a character, or the beginning of that: nobody knows what it is before all of it is there. */
        private static final Pattern CUT_SHORT = Pattern.compile("(%[0-9A-Fa-f]{0,2})+$");

        private static final String LAST = Character.toString(Character.MAX_CODE_POINT);

        /** How long the last part is, of which only the beginning is known, nobody can tell: of several parts it is left out. */
        static KeyRange of(String prefix) {
            var known = CUT_SHORT.matcher(prefix).replaceFirst("");
            var parts = Key.partsOf(known);
            var begins = parts.removeLast();
            var first = parts.isEmpty() ? begins : text(Encoding.encode(parts)) + "/";
            return new KeyRange(first, first + LAST, parts.isEmpty() && known.equals(prefix));
        }

        private static String text(String encoded) {
            return encoded.substring(encoded.indexOf(':') + 1);
        }
    }
}
