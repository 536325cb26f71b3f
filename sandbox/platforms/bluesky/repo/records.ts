import type { Operation } from '../../../faults.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import { isObject, type Json, type JsonObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import { findActor } from '../accounts.ts';
import { invalid } from '../errors.ts';
import { postCollection } from '../indexing.ts';
import { readInput, readParameter } from '../input.ts';
import { authenticateTo } from '../sign-in/authenticate.ts';
import { isNsid } from './identifiers.ts';
import { anyObject, type Check, flag, text } from './lexicon.ts';
import { findRecord, uriOf } from './repo.ts';
import { apply, prepare, type Write } from './write.ts';

const nsid: Check = (value, path) =>
  text()(value, path) ?? (isNsid(String(value)) ? undefined : `Invalid NSID (got ${JSON.stringify(value)}) at ${path}`);
const place = { repo: text(), collection: nsid };
/** Null means that no record may exist. */
const swap: Check = (value, path) => (value === null ? undefined : text({ format: 'cid' })(value, path));

/** A key that is taken causes a 500 on the vendor's server. Only `putRecord` can be repeated safely. */
export function createRecord(call: Call): HttpResponse {
  const input = readInput(
    call,
    { ...place, record: anyObject },
    { rkey: text(), validate: flag, swapCommit: text({ format: 'cid' }) },
  );
  const account = authenticateTo(call, String(input.repo));
  const write = prepare(call, account, 'create', draftOf(input));
  const commit = apply(call, account, write, input.swapCommit);
  return json({ ...present(write), commit });
}

/** Changes nothing and makes no commit when the record already has this value. */
export function putRecord(call: Call): HttpResponse {
  const input = readInput(
    call,
    { ...place, rkey: text(), record: anyObject },
    { validate: flag, swapCommit: text({ format: 'cid' }), swapRecord: swap },
  );
  const account = authenticateTo(call, String(input.repo));
  const uri = uriOf(account.id, String(input.collection), String(input.rkey));
  const current = findRecord(call.sandbox, String(input.collection), uri);
  const write = prepare(call, account, current ? 'update' : 'create', draftOf(input));
  if (current?.cid === write.record.cid) return json(present(write));
  checkSwap(input.swapRecord, current?.cid);
  const commit = apply(call, account, write, input.swapCommit);
  return json({ ...present(write), commit });
}

/** Deleting a record that does not exist succeeds. */
export function deleteRecord(call: Call): HttpResponse {
  const input = readInput(
    call,
    { ...place, rkey: text() },
    { swapCommit: text({ format: 'cid' }), swapRecord: text({ format: 'cid' }) },
  );
  const account = authenticateTo(call, String(input.repo));
  const collection = String(input.collection);
  const record = findRecord(call.sandbox, collection, uriOf(account.id, collection, String(input.rkey)));
  if (!record) return json({});
  checkSwap(input.swapRecord, record.cid);
  return json({ commit: apply(call, account, { action: 'delete', record }, input.swapCommit) });
}

export function getRecord(call: Call): HttpResponse {
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

/** A reply is also a post, so a fault on `publish` applies to it. */
export function operationOf(call: Call): readonly Operation[] {
  const { collection, record } = call.body.fields;
  if (collection !== postCollection || !isObject(record)) return ['other'];
  return record.reply === undefined ? ['publish'] : ['comment', 'publish'];
}

function draftOf({ collection, rkey, record, validate }: JsonObject) {
  return {
    collection: String(collection),
    rkey: rkey === undefined ? undefined : String(rkey),
    value: isObject(record) ? record : {},
    validate,
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
