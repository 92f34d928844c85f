-- What decides which workers may take a job: "line" was one letter away from "lane".

alter table line rename to claim_group;
alter index line_of rename to claim_group_of;
alter sequence line_id_seq rename to claim_group_id_seq;
alter table job rename column line to claim_group;
