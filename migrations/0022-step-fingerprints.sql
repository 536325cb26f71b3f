-- Which posts in doubt could own what a search at the network finds.

alter table publish_steps add column fingerprint text;
comment on column publish_steps.fingerprint is
  'Steps of one account with different fingerprints cannot be mistaken for each other at the network. Null: unknown.';
