-- What was spent in all, beside what was spent on each day: day -1 stands for all of them.

delete from spent where day = -1;
insert into spent (day, workflow, model, nano_usd, input, output, cached, tool_calls, unpriced, lost)
  select -1, workflow, model, sum(nano_usd), sum(input), sum(output), sum(cached), sum(tool_calls), sum(unpriced), sum(lost) from spent
  group by workflow, model;
