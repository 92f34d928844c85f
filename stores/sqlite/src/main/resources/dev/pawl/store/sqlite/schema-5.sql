-- What models cost, for everybody who has no table of his own: one row, whose number grows with each table that is imported.

create table prices (
  id integer primary key,
  number integer not null,
  at integer not null,
  who text not null,
  why text not null,
  lines text not null
);
