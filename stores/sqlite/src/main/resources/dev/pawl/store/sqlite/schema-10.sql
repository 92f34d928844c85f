-- How many things go on elsewhere that a job began and must end before it ends itself.

alter table job add column owes integer not null default 0;
