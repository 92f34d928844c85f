-- Made once all rows are there: cheaper than row by row.

create index job_ending on job (claim_group, ending, changed, seq) where ending is not null;
create index job_named on job (claim_group, (substring(key from position(':' in key) + 1) collate "C"), ending, changed, seq) where ending is not null;
