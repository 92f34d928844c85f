-- Jobs that are there already.

update identified set claim_group = job.claim_group, name = substring(job.key from position(':' in job.key) + 1) from job where job.seq = identified.job;
