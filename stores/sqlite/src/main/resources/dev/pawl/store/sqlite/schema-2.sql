-- Everything a job can do: fan-out, waiting, calls, gates, order and limits, cost, artifacts, retention.

-- Who may take a job: what workers' wishes are matched against. A job refers to its line by number.
create table line (
  id integer primary key,
  workflow text not null,
  queue text not null,
  principal text not null
);
create unique index line_of on line (workflow, queue, principal);
insert into line (workflow, queue, principal) select distinct workflow, '', '' from job;

alter table job add column line integer not null default 0;
alter table job add column priority integer not null default 0;
alter table job add column lane text not null default '';
alter table job add column lane_most integer not null default 0;
alter table job add column news integer not null default 0;
alter table job add column cancelling integer not null default 0;
alter table job add column gate text;
alter table job add column ended integer;
update job set line = (select id from line where line.workflow = job.workflow and queue = '' and principal = '');
update job set ended = seq where state in (4, 5, 6);

alter table worker add column claim integer not null default 0;

drop index job_due;
create index job_due on job (line, suspect, priority, due, lane) where due is not null;
create index job_ended on job (ended) where ended is not null;
create index job_lane on job (lane) where lane <> '' and owner <> 0;
create index job_gate on job (gate) where gate is not null;

-- Who waits for whose end.
create table call (
  child integer not null,
  parent integer not null,
  resubmission integer not null,
  place text not null,
  detached integer not null,
  primary key (child, parent, resubmission, place)
) without rowid;
create index call_parent on call (parent);

-- How many jobs of a queue run at once.
create table queue (
  name text primary key,
  most integer not null
) without rowid;

alter table worker add column taking text not null default '{"workflows":[],"queues":[],"principals":[]}';

create table artifact (
  job integer not null,
  resubmission integer not null,
  place text not null,
  bytes blob not null,
  primary key (job, resubmission, place)
);

-- What was spent, added up as it is recorded; a day is a number of days since 1970 in UTC.
create table spent (
  day integer not null,
  workflow text not null,
  model text not null,
  nano_usd integer not null,
  input integer not null,
  output integer not null,
  cached integer not null,
  tool_calls integer not null,
  unpriced integer not null,
  lost integer not null,
  primary key (day, workflow, model)
) without rowid;

-- Where jobs wait together; one that is open has no reason.
create table gate (
  name text primary key,
  kind integer not null,
  why text,
  since integer,
  until integer,
  closings integer not null,
  raised integer not null,
  raised_at integer,
  openings text not null default '[]'
) without rowid;

-- How many attempts a rate has allowed in its current stretch of time.
create table passed (
  gate text primary key,
  since integer not null,
  taken integer not null
) without rowid;
