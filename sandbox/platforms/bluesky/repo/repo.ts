import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../http/json.ts';
import type { Sandbox } from '../../../platform.ts';
import type { StoredRecord } from '../../../store/records.ts';
import { cidOfRecord } from './cid.ts';
import { nextTid } from './identifiers.ts';

/** A record of a repository, as the account's server stores it. */
export interface RepoRecord {
  readonly uri: string;
  readonly did: string;
  readonly collection: string;
  readonly rkey: string;
  readonly cid: string;
  readonly value: JsonObject;
}

export interface Commit {
  readonly cid: string;
  readonly rev: string;
}

export function uriOf(did: string, collection: string, rkey: string): string {
  return `at://${did}/${collection}/${rkey}`;
}

export function findRecord({ store }: Sandbox, collection: string, uri: string): RepoRecord | undefined {
  const found = store.records.find('bluesky', collection, uri);
  return found && readRow(found);
}

/** Lists the records of one account or of all accounts, in no particular order. */
export function listCollection({ store }: Sandbox, collection: string, did?: string): RepoRecord[] {
  return store.records.list('bluesky', collection, did).map(readRow);
}

export function saveRecord({ store }: Sandbox, { uri, did, collection, rkey, cid, value }: RepoRecord): void {
  store.records.put('bluesky', collection, uri, { did, collection, rkey, cid, value }, did);
}

export function dropRecord({ store }: Sandbox, { collection, uri }: RepoRecord): void {
  store.records.remove('bluesky', collection, uri);
}

export function lastCommit({ store }: Sandbox, did: string): string | undefined {
  const found = store.records.find('bluesky', 'commit', did);
  return found && String(found.data.cid);
}

export function addCommit({ store }: Sandbox, did: string): Commit {
  const rev = nextTid(store);
  const commit = { cid: cidOfRecord({ did, rev, version: 3, sig: randomUUID() }), rev };
  store.records.put('bluesky', 'commit', did, commit, did);
  return commit;
}

function readRow({ id, data }: StoredRecord): RepoRecord {
  return { ...(data as JsonObject & RepoRecord), uri: id };
}
