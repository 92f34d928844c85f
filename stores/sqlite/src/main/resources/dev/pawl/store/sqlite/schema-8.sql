-- Jobs by the beginning of their keys. Of all of them: a key never changes, so that whoever takes, leaves or ends a job has nothing to do here.

drop index job_named;
create index job_named on job (claim_group, substr(key, instr(key, ':') + 1));
