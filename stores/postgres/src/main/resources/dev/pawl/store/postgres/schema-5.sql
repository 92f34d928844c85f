-- Jobs by the beginning of their keys, beside their identities and apart from their rows: a key never changes, so that whoever takes, leaves or ends a job has
-- nothing to do here.

alter table identified add column claim_group bigint, add column name text collate "C";
drop index job_named;
