-- Which version of its code a job goes on with decides who takes it, too; a job that has none is taken by all.

-- An earlier Pawl that is still running would take jobs whose code it does not have: under another name it finds no column, and stops.
alter table claim_group rename column principal to on_behalf_of;
alter table claim_group add column version text not null default '';
drop index line_of;
create unique index claim_group_of on claim_group (workflow, queue, on_behalf_of, version);
