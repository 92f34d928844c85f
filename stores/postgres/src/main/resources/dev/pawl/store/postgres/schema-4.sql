-- Lists and counts of what has ended. How a job ended is one number (state and class of failure), null while it has not or when only its tombstone is left.

-- An earlier Pawl that is still running cannot say how its jobs ended: under another name it finds no column for it, and stops.
alter table job rename column ended to end_number;
alter table job add column ending smallint;
drop index job_attention;
create index job_attention on job (state) where state in (2, 3);
create index journal_duplicated on journal (job) where kind = 7;
create index gate_closed on gate (name) where why is not null;

-- How many ended in what way on which day (of UTC, since 1970; -1 for all days together), added up as they end; of one whose tombstone is left a hundred more. Connections write to
-- rows of their own, so that nobody waits for anybody.
create table tally (
  claim_group bigint not null,
  ending smallint not null,
  day bigint not null,
  slot integer not null,
  many bigint not null,
  primary key (day, claim_group, ending, slot)
) with (fillfactor = 50);
