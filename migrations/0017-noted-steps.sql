-- When a step was begun by the database's clock, on which all workers agree: until a request's time limit is over, what
-- one of them sent may still be taken by the network, although it does not show it yet.
alter table publish_steps add column noted_at timestamptz not null default now();
