import type { Json, JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { attachBlob, type Blob, detachBlob, requireBlob } from './blobs.ts';
import { blobsIn, cidOfRecord } from './cid.ts';
import { invalid, refusePlainly } from './errors.ts';
import { forgetRecord, indexRecord, postCollection } from './indexing.ts';
import { isRecordKey, nextTid } from './keys.ts';
import { text } from './lexicon.ts';
import { recordTypes } from './record-types.ts';
import {
  addCommit,
  type Commit,
  dropRecord,
  findRecord,
  lastCommit,
  listCollection,
  type RepoRecord,
  saveRecord,
  uriOf,
} from './repo.ts';

export interface Write {
  readonly action: 'create' | 'update' | 'delete';
  readonly record: RepoRecord;
  readonly validationStatus?: 'valid' | 'unknown';
}

interface Draft {
  readonly collection: string;
  readonly rkey: string | undefined;
  readonly value: JsonObject;
  readonly validate: Json | undefined;
  /** Where in the request it stood, for what the server says about it. */
  readonly path: string;
}

/** Checks a record against its lexicon and gives it its key and content id. */
export function prepare(call: Call, account: Account, action: 'create' | 'update', draft: Draft): Write {
  const { collection, path } = draft;
  const { $type = collection } = draft.value;
  if ($type !== collection) invalid(`Invalid $type: expected ${collection}, got ${$type}`);
  if (draft.rkey !== undefined && !isRecordKey(draft.rkey)) invalid(`Invalid record key: ${draft.rkey}`);
  const rkey = draft.rkey ?? nextTid(call.sandbox.store);
  const value = { ...draft.value, $type };
  const validationStatus = validate(collection, rkey, value, draft.validate, path);
  const uri = uriOf(account.id, collection, rkey);
  const record = { uri, did: account.id, collection, rkey, cid: cidOfRecord(value), value };
  return { action, record, ...(validationStatus && { validationStatus }) };
}

/** All or nothing: what could fail is asked before anything is written. */
export function apply(call: Call, account: Account, writes: readonly Write[], swapCommit?: Json): Commit {
  const { sandbox } = call;
  const current = lastCommit(sandbox, account.id);
  if (swapCommit !== undefined && swapCommit !== null && swapCommit !== current) {
    invalid(`Commit was at ${current ?? 'null'}`, 'InvalidSwap');
  }
  const ready = writes.map((write) => check(call, account, write, writes));
  for (const { write, blobs } of ready) {
    if (write.action === 'create') add(call, account, write.record, blobs);
    else if (write.action === 'update') change(call, account, write.record, blobs);
    else remove(call, write.record);
  }
  return addCommit(sandbox, account.id);
}

function validate(collection: string, rkey: string, value: JsonObject, wanted: Json | undefined, path: string) {
  if (wanted === false) return undefined;
  const type = recordTypes[collection];
  if (!type) return wanted === true ? invalid(`Unknown lexicon type: ${collection}`) : 'unknown';
  const badKey = text({ format: 'tid' })(rkey, '$');
  if (badKey !== undefined) invalid(`Invalid record key for ${collection}: ${badKey}`);
  const finding = type(value, path);
  if (finding !== undefined) invalid(`Invalid ${collection} record: ${finding}`);
  return 'valid';
}

function check(call: Call, account: Account, write: Write, all: readonly Write[]): { write: Write; blobs: Blob[] } {
  const { action, record } = write;
  const isThere = findRecord(call.sandbox, record.collection, record.uri) !== undefined;
  const isRepeated = all.some((other) => other !== write && other.record.uri === record.uri);
  // The vendor has no word for these: they fall through as its own failure.
  if (isRepeated || isThere === (action === 'create')) refusePlainly(500);
  const refs = action === 'delete' ? [] : blobsIn(record.value);
  return { write, blobs: refs.map((ref) => requireBlob(call.sandbox, account.id, ref)) };
}

/** The post goes first: it opens the transaction in which all the rest then stands. */
function add(call: Call, account: Account, record: RepoRecord, blobs: readonly Blob[]): void {
  indexRecord(call, account, record);
  replaceTwins(call, record);
  keep(call, record, blobs);
}

/** The repository has the new version; the apps go on showing a post as it first was. */
function change(call: Call, account: Account, record: RepoRecord, blobs: readonly Blob[]): void {
  const before = findRecord(call.sandbox, record.collection, record.uri);
  if (before && record.collection !== postCollection) {
    forgetRecord(call, before);
    indexRecord(call, account, record);
  }
  const kept = blobs.map(({ cid }) => cid);
  for (const { cid } of blobsIn(before?.value)) {
    if (!kept.includes(cid)) detachBlob(call.sandbox, record.did, cid, record.uri);
  }
  keep(call, record, blobs);
}

function remove(call: Call, { collection, uri }: RepoRecord): void {
  const record = findRecord(call.sandbox, collection, uri);
  if (!record) return;
  forgetRecord(call, record);
  dropRecord(call.sandbox, record);
  for (const { cid } of blobsIn(record.value)) detachBlob(call.sandbox, record.did, cid, uri);
}

function keep(call: Call, record: RepoRecord, blobs: readonly Blob[]): void {
  saveRecord(call.sandbox, record);
  for (const blob of blobs) attachBlob(call.sandbox, blob, record.uri);
}

/** A second like, repost or follow of the same thing takes the place of the first. */
function replaceTwins(call: Call, record: RepoRecord): void {
  if (!['app.bsky.feed.like', 'app.bsky.feed.repost', 'app.bsky.graph.follow'].includes(record.collection)) return;
  const subject = JSON.stringify(record.value.subject);
  for (const other of listCollection(call.sandbox, record.collection, record.did)) {
    if (JSON.stringify(other.value.subject) === subject) dropRecord(call.sandbox, other);
  }
}
