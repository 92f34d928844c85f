-- Jobs by the beginning of their keys. Of all of them: a key never changes, so that whoever takes, leaves or ends a job has nothing to do here.

drop index job_named;
create index job_named on job (claim_group, substr(key, instr(key, ':') + 1));

-- What one change does to other jobs and is too much for one commit: what is left of it is gone on with by whoever keeps house. A dead worker stays listed until its
-- last job was given back.

create table follow_up (
  id integer primary key,
  job integer not null,
  kind integer not null,
  rest text not null
);
create index follow_up_job on follow_up (job) where job <> 0;
-- An earlier Pawl that is still running knows nothing of all this: under another name it finds no column for its beat, and stops.
alter table worker rename column beaten to beat_at;
alter table worker add column ending integer;
alter table job add column gate_closings integer not null default 0;

-- What was spent in all, beside what was spent on each day: day -1 stands for all of them.

insert into spent (day, workflow, model, nano_usd, input, output, cached, tool_calls, unpriced, lost)
  select -1, workflow, model, sum(nano_usd), sum(input), sum(output), sum(cached), sum(tool_calls), sum(unpriced), sum(lost) from spent
  where day <> -1 group by workflow, model;

-- Stores that moved in here, or are on their way: nobody works while one is.

create table arrival (
  token text primary key,
  done integer not null
) without rowid;

-- Rows that are not jobs. What is sent, and what came of it, stand apart from what changes with every attempt.

create table collection (
  id integer primary key,
  name text not null unique,
  number integer not null
);
create table ledger_row (
  id integer primary key,
  collection integer not null,
  key text not null,
  generation integer not null,
  hash text not null,
  state integer not null,
  because text not null,
  dealt integer not null,
  changed integer not null,
  made integer not null,
  spent integer not null,
  part integer,
  won integer not null
);
create unique index ledger_row_key on ledger_row (collection, key);
create index ledger_row_state on ledger_row (collection, state, because);
create table ledger_payload (
  row integer not null,
  generation integer not null,
  payload text not null,
  primary key (row, generation)
) without rowid;
create table ledger_attempt (
  row integer not null,
  generation integer not null,
  number integer not null,
  part integer not null,
  opened integer not null,
  state integer not null,
  because text not null,
  why text not null,
  spending text,
  result text,
  ended integer,
  primary key (row, generation, number)
) without rowid;
create index ledger_attempt_part on ledger_attempt (part, row) where part <> 0;
create table ledger_part (
  id integer primary key,
  collection integer not null,
  name text not null,
  job integer not null,
  opened integer not null,
  many integer,
  hash text,
  provider text
);
create unique index ledger_part_name on ledger_part (collection, name);
create table ledger_word (
  id integer primary key,
  row integer not null,
  generation integer not null,
  at integer not null,
  word text not null,
  who text not null,
  why text not null
);
create index ledger_word_row on ledger_word (row);
create table ledger_count (
  collection integer not null,
  state integer not null,
  because text not null,
  dealt integer not null,
  slot integer not null,
  many integer not null,
  primary key (collection, state, because, dealt, slot)
) without rowid;
