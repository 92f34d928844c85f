-- Made once all names are there: cheaper than row by row.

create index identified_named on identified (claim_group, name, job);
