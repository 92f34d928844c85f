-- What is made of the rest, where a store has moved in: how jobs ended, how many did, what was spent in all.

update job set ending = case state when 4 then 40 when 6 then 60 else
  case when failure like '%"kind":"TRANSIENT"%' then 50 when failure like '%"kind":"AMBIGUOUS"%' then 52 when failure like '%"kind":"ACCOUNT"%' then 53 else 51 end end
  where state in (4, 5, 6) and input not like 'sha256:%';
delete from tally;
insert into tally (claim_group, ending, day, slot, many)
  select claim_group, coalesce(ending, 100 + 10 * state), changed / 86400000, 0, count(*) from job where state in (4, 5, 6) group by 1, 2, 3;
insert into tally (claim_group, ending, day, slot, many)
  select claim_group, ending, -1, 0, sum(many) from tally group by 1, 2;
insert into spent (day, workflow, model, nano_usd, input, output, cached, tool_calls, unpriced, lost, cache_written)
  select -1, workflow, model, sum(nano_usd), sum(input), sum(output), sum(cached), sum(tool_calls), sum(unpriced), sum(lost), sum(cache_written) from spent
  where day <> -1 group by workflow, model;
delete from ledger_count;
insert into ledger_count (collection, state, because, dealt, slot, many)
  select collection, state, because, dealt, 0, count(*) from ledger_row group by 1, 2, 3, 4;
