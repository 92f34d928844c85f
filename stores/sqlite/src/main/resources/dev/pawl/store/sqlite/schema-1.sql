-- Tables cluster on sequential numbers; the only hash is in one unique index.

create table job (
  seq integer primary key,
  identity text not null,
  workflow text not null,
  key text not null,
  input text not null,
  state integer not null,
  resubmission integer not null default 0,
  fence integer not null default 0,
  owner integer not null default 0,
  claim integer not null default 0,
  last_change integer not null default 0,
  suspect integer not null default 0,
  strikes integer not null default 0,
  created integer not null,
  changed integer not null,
  due integer,
  result text,
  failure text,
  question text
);
create unique index job_identity on job (identity);
create index job_due on job (workflow, suspect, due) where due is not null;
create index job_owner on job (owner, claim) where owner <> 0;
create index job_attention on job (state) where state in (2, 3, 5);

create table journal (
  seq integer primary key,
  job integer not null,
  change integer not null,
  resubmission integer not null,
  at integer not null,
  kind integer not null,
  place text not null,
  body text not null
);
create unique index journal_change on journal (job, change);

create table attempt (
  job integer not null,
  resubmission integer not null,
  place text not null,
  number integer not null,
  status integer not null,
  intended integer not null,
  remembered integer not null,
  primary key (job, resubmission, place, number)
) without rowid;
create index attempt_open on attempt (job) where status = 0;

create table worker (
  id integer primary key,
  name text not null,
  beat integer not null,
  term integer not null
);
