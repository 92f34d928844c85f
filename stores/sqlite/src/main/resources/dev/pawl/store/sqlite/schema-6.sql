-- What decides which workers may take a job: "line" was one letter away from "lane".

alter table line rename to claim_group;
alter table job rename column line to claim_group;
