-- Lists and counts of what has ended. How a job ended is one number (state and class of failure), null while it has not or when only its tombstone is left.

-- An earlier Pawl that is still running cannot say how its jobs ended: under another name it finds no column for it, and stops.
alter table job rename column ended to end_number;
alter table job add column ending integer;
update job set ending = case state when 4 then 40 when 6 then 60 else
  case when failure like '%"kind":"TRANSIENT"%' then 50 when failure like '%"kind":"AMBIGUOUS"%' then 52 when failure like '%"kind":"ACCOUNT"%' then 53 else 51 end end
  where state in (4, 5, 6) and input not like 'sha256:%';
create index job_ending on job (claim_group, ending, changed) where ending is not null;
create index job_named on job (claim_group, substr(key, instr(key, ':') + 1), ending, changed) where ending is not null;
drop index job_attention;
create index job_attention on job (state) where state in (2, 3);
create index journal_duplicated on journal (job) where kind = 7;
create index gate_closed on gate (name) where why is not null;

-- How many ended in what way on which day (of UTC, since 1970; -1 for all days together), added up as they end; of one whose tombstone is left a hundred more.
create table tally (
  claim_group integer not null,
  ending integer not null,
  day integer not null,
  slot integer not null,
  many integer not null,
  primary key (day, claim_group, ending, slot)
) without rowid;
insert into tally (claim_group, ending, day, slot, many)
  select claim_group, coalesce(ending, 100 + 10 * state), changed / 86400000, 0, count(*) from job where state in (4, 5, 6) group by 1, 2, 3;
insert into tally (claim_group, ending, day, slot, many)
  select claim_group, ending, -1, 0, sum(many) from tally group by 1, 2;
