-- Failed posts that a person has dismissed from the list of what needs attention.

alter table users add column dismissed_failures text[] not null default '{}';
comment on column users.dismissed_failures is
  'Ids of post groups with the version that was dismissed, such as `019a…:4`. A post that fails again has another version.';
