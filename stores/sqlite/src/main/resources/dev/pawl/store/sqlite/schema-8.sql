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
