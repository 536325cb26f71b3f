import { type Answer, json } from '../../answer.ts';
import { isObject, type Json, type JsonObject } from '../../json.ts';
import type { Call, Operation } from '../../network.ts';
import { findActor } from './accounts.ts';
import { invalid } from './errors.ts';
import { postCollection } from './indexing.ts';
import { readInput, readLimit, readParameter } from './input.ts';
import { isNsid } from './keys.ts';
import { anyObject, type Check, flag, list, text, union } from './lexicon.ts';
import { findRecord, listCollection, uriOf } from './repo.ts';
import { signInTo } from './sign-in.ts';
import { apply, prepare, type Write } from './write.ts';

const maxWrites = 200;

const nsid: Check = (value, path) =>
  text()(value, path) ?? (isNsid(String(value)) ? undefined : `Invalid NSID (got ${JSON.stringify(value)}) at ${path}`);
const place = { repo: text(), collection: nsid };
/** Null means: there must be none. */
const swap: Check = (value, path) => (value === null ? undefined : text({ format: 'cid' })(value, path));

/** A key that is taken is no conflict to the vendor, but an inner failure: only `putRecord` can be repeated. */
export function createRecord(call: Call): Answer {
  const input = readInput(
    call,
    { ...place, record: anyObject },
    { rkey: text(), validate: flag, swapCommit: text({ format: 'cid' }) },
  );
  const account = signInTo(call, String(input.repo));
  const write = prepare(call, account, 'create', draftOf(input, input.record, '$.record'));
  const commit = apply(call, account, [write], input.swapCommit);
  return json({ ...present(write), commit });
}

/** Changes nothing, and makes no commit, when the record is already so. */
export function putRecord(call: Call): Answer {
  const input = readInput(
    call,
    { ...place, rkey: text(), record: anyObject },
    { validate: flag, swapCommit: text({ format: 'cid' }), swapRecord: swap },
  );
  const account = signInTo(call, String(input.repo));
  const uri = uriOf(account.id, String(input.collection), String(input.rkey));
  const current = findRecord(call.sandbox, String(input.collection), uri);
  const write = prepare(call, account, current ? 'update' : 'create', draftOf(input, input.record, '$.record'));
  if (current?.cid === write.record.cid) return json(present(write));
  checkSwap(input.swapRecord, current?.cid);
  const commit = apply(call, account, [write], input.swapCommit);
  return json({ ...present(write), commit });
}

export function applyWrites(call: Call): Answer {
  const input = readInput(
    call,
    { repo: text(), writes: list(union({})) },
    { validate: flag, swapCommit: text({ format: 'cid' }) },
  );
  const account = signInTo(call, String(input.repo));
  const asked = listOf(input.writes);
  if (asked.length > maxWrites) invalid(`Too many writes. Max: ${maxWrites}`);
  const writes = asked.map((one, position): Write => {
    const draft = draftOf({ ...one, validate: input.validate ?? null }, one.value, `$.writes[${position}].record`);
    const { collection, rkey = '', value } = draft;
    switch (one.$type) {
      case 'com.atproto.repo.applyWrites#create':
        return prepare(call, account, 'create', draft);
      case 'com.atproto.repo.applyWrites#update':
        return prepare(call, account, 'update', draft);
      case 'com.atproto.repo.applyWrites#delete': {
        const uri = uriOf(account.id, collection, rkey);
        return { action: 'delete', record: { uri, did: account.id, collection, rkey, cid: '', value } };
      }
      default:
        return invalid(`Action not supported: ${one.$type}`);
    }
  });
  const commit = apply(call, account, writes, input.swapCommit);
  return json({ commit, results: writes.map(presentResult) });
}

/** Deleting what is not there is no error. */
export function deleteRecord(call: Call): Answer {
  const input = readInput(
    call,
    { ...place, rkey: text() },
    { swapCommit: text({ format: 'cid' }), swapRecord: text({ format: 'cid' }) },
  );
  const account = signInTo(call, String(input.repo));
  const collection = String(input.collection);
  const record = findRecord(call.sandbox, collection, uriOf(account.id, collection, String(input.rkey)));
  if (!record) return json({});
  checkSwap(input.swapRecord, record.cid);
  return json({ commit: apply(call, account, [{ action: 'delete', record }], input.swapCommit) });
}

export function getRecord(call: Call): Answer {
  const [repo, collection, rkey] = ['repo', 'collection', 'rkey'].map((name) => readParameter(call, name));
  const account = findActor(call.sandbox, repo ?? '');
  const uri = uriOf(account?.id ?? repo ?? '', collection ?? '', rkey ?? '');
  const record = findRecord(call.sandbox, collection ?? '', uri);
  const wanted = call.query.get('cid');
  if (!record || account?.suspended || (wanted !== null && wanted !== record.cid)) {
    invalid(`Could not locate record: ${uri}`, 'RecordNotFound');
  }
  return json({ uri, cid: record.cid, value: record.value });
}

/** By key, newest first unless reversed. */
export function listRecords(call: Call): Answer {
  const repo = readParameter(call, 'repo');
  const account = findActor(call.sandbox, repo) ?? invalid(`Could not find repo: ${repo}`);
  const limit = readLimit(call, 50);
  const direction = call.query.get('reverse') === 'true' ? 1 : -1;
  const cursor = call.query.get('cursor');
  const page = listCollection(call.sandbox, readParameter(call, 'collection'), account.id)
    .sort((one, other) => (one.rkey < other.rkey ? -direction : direction))
    .filter(({ rkey }) => cursor === null || ((rkey > cursor ? 1 : -1) * direction > 0 && rkey !== cursor))
    .slice(0, limit);
  const last = page.at(-1);
  return json({
    records: page.map(({ uri, cid, value }) => ({ uri, cid, value })),
    ...(last && { cursor: last.rkey }),
  });
}

/** A reply is a post too, so a fault on `publish` hits it as well. */
export function operationOf(call: Call): readonly Operation[] {
  const { collection, record, writes } = call.body.fields;
  const made = [{ collection, value: record }, ...listOf(writes)] as { collection?: Json; value?: Json }[];
  const posts = made.filter((one) => one.collection === postCollection && isObject(one.value));
  if (posts.length === 0) return ['other'];
  const isReply = posts.every(({ value }) => isObject(value) && value.reply !== undefined);
  return isReply ? ['comment', 'publish'] : ['publish'];
}

function draftOf(from: JsonObject, value: Json | undefined, path: string) {
  return {
    collection: String(from.collection),
    rkey: from.rkey === undefined ? undefined : String(from.rkey),
    value: isObject(value) ? value : {},
    validate: from.validate,
    path,
  };
}

function checkSwap(expected: Json | undefined, current: string | undefined): void {
  if (expected !== undefined && expected !== (current ?? null)) {
    invalid(`Record was at ${current ?? 'null'}`, 'InvalidSwap');
  }
}

function present({ record, validationStatus }: Write) {
  return { uri: record.uri, cid: record.cid, ...(validationStatus && { validationStatus }) };
}

function presentResult(write: Write) {
  const $type = `com.atproto.repo.applyWrites#${write.action}Result`;
  return write.action === 'delete' ? { $type } : { $type, ...present(write) };
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
