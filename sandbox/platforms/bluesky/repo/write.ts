import type { Json, JsonObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { attachBlob, type Blob, detachBlob, requireBlob } from '../blobs.ts';
import { invalid, refusePlainly } from '../errors.ts';
import { indexRecord, postCollection, unindexRecord } from '../indexing.ts';
import { blobsIn, cidOfRecord } from './cid.ts';
import { isRecordKey, nextTid } from './identifiers.ts';
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
}

/** Validates a record against its lexicon and assigns its key and content id. */
export function prepare(call: Call, account: Account, action: 'create' | 'update', draft: Draft): Write {
  const { collection } = draft;
  const { $type = collection } = draft.value;
  if ($type !== collection) invalid(`Invalid $type: expected ${collection}, got ${$type}`);
  if (draft.rkey !== undefined && !isRecordKey(draft.rkey)) invalid(`Invalid record key: ${draft.rkey}`);
  const rkey = draft.rkey ?? nextTid(call.sandbox.store);
  const value = { ...draft.value, $type };
  const validationStatus = validate(collection, rkey, value, draft.validate);
  const uri = uriOf(account.id, collection, rkey);
  const record = { uri, did: account.id, collection, rkey, cid: cidOfRecord(value), value };
  return { action, record, ...(validationStatus && { validationStatus }) };
}

/** Checks everything that can fail before it writes anything. */
export function apply(call: Call, account: Account, write: Write, swapCommit?: Json): Commit {
  const { sandbox } = call;
  const current = lastCommit(sandbox, account.id);
  if (swapCommit !== undefined && swapCommit !== null && swapCommit !== current) {
    invalid(`Commit was at ${current ?? 'null'}`, 'InvalidSwap');
  }
  const { action, record } = write;
  const blobs = requireBlobs(call, account, write);
  if (action === 'create') add(call, account, record, blobs);
  else if (action === 'update') change(call, account, record, blobs);
  else remove(call, record);
  return addCommit(sandbox, account.id);
}

function validate(collection: string, rkey: string, value: JsonObject, wanted: Json | undefined) {
  if (wanted === false) return undefined;
  const type = recordTypes[collection];
  if (!type) return wanted === true ? invalid(`Unknown lexicon type: ${collection}`) : 'unknown';
  const badKey = text({ format: 'tid' })(rkey, '$');
  if (badKey !== undefined) invalid(`Invalid record key for ${collection}: ${badKey}`);
  const finding = type(value, '$.record');
  if (finding !== undefined) invalid(`Invalid ${collection} record: ${finding}`);
  return 'valid';
}

function requireBlobs(call: Call, account: Account, { action, record }: Write): Blob[] {
  const exists = findRecord(call.sandbox, record.collection, record.uri) !== undefined;
  // The vendor's server has no specific error for a key that is taken and fails with a 500.
  if (exists === (action === 'create')) refusePlainly(500);
  const refs = action === 'delete' ? [] : blobsIn(record.value);
  return refs.map((ref) => requireBlob(call.sandbox, account.id, ref));
}

/** The post comes first, because it opens the transaction that contains all other writes. */
function add(call: Call, account: Account, record: RepoRecord, blobs: readonly Blob[]): void {
  indexRecord(call, account, record);
  replaceDuplicates(call, record);
  save(call, record, blobs);
}

/** The repository gets the new version, but the apps keep showing a post in its first version. */
function change(call: Call, account: Account, record: RepoRecord, blobs: readonly Blob[]): void {
  const before = findRecord(call.sandbox, record.collection, record.uri);
  if (before && record.collection !== postCollection) {
    unindexRecord(call, before);
    indexRecord(call, account, record);
  }
  const kept = blobs.map(({ cid }) => cid);
  for (const { cid } of blobsIn(before?.value)) {
    if (!kept.includes(cid)) detachBlob(call.sandbox, record.did, cid, record.uri);
  }
  save(call, record, blobs);
}

function remove(call: Call, { collection, uri }: RepoRecord): void {
  const record = findRecord(call.sandbox, collection, uri);
  if (!record) return;
  unindexRecord(call, record);
  dropRecord(call.sandbox, record);
  for (const { cid } of blobsIn(record.value)) detachBlob(call.sandbox, record.did, cid, uri);
}

function save(call: Call, record: RepoRecord, blobs: readonly Blob[]): void {
  saveRecord(call.sandbox, record);
  for (const blob of blobs) attachBlob(call.sandbox, blob, record.uri);
}

/** A second like, repost or follow of the same subject replaces the first. */
function replaceDuplicates(call: Call, record: RepoRecord): void {
  if (!['app.bsky.feed.like', 'app.bsky.feed.repost', 'app.bsky.graph.follow'].includes(record.collection)) return;
  const subject = JSON.stringify(record.value.subject);
  for (const other of listCollection(call.sandbox, record.collection, record.did)) {
    if (JSON.stringify(other.value.subject) === subject) dropRecord(call.sandbox, other);
  }
}
