-- When each worker last beat, for people who look.

alter table worker add column beaten integer not null default 0;
