-- The numbers of workers that are gone, so that an enlisting which arrives late brings none of them back.

create table gone (
  worker integer primary key,
  at integer not null
);
