import { asText } from '../../../http/coerce.ts';
import { empty, type HttpResponse, json } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Post } from '../../../store/posts.ts';
import type { StoredRecord } from '../../../store/records.ts';
import { invalidField, invalidParameter, invalidPath, notFound, refuse } from '../errors.ts';
import { isEntityUrn, requireEntity, threadUrn } from '../posts/posts.ts';
import { decoration } from '../rest-li/decoration.ts';
import { checkFields, created, pageOf } from '../rest-li/rest-li.ts';
import { urnOf } from '../rest-li/urn.ts';
import { actAs, authenticate } from '../sign-in/authenticate.ts';
import { engagementAction, reactionTypes, requireReading } from './engagement.ts';

export function createReaction(call: Call): HttpResponse {
  const caller = authenticate(call);
  const body = call.body.fields;
  checkFields(body, ['root', 'reactionType'], []);
  const actor = actAs(call, caller, call.query.get('actor') ?? invalidParameter('actor'), actionOn(call, 'CREATE'));
  const type = asText(body.reactionType);
  if (!reactionTypes.includes(type)) {
    const message = `reactionType must be one of: ${reactionTypes.join(', ')}`;
    invalidField('INVALID_VALUE_FOR_FIELD', 'reactionType', message);
  }
  const root = asText(body.root);
  if (!isEntityUrn(root)) invalidField('INVALID_URN_ID', 'root', 'This URN Id is invalid');
  const reaction = react(call, actor, requireEntity(call, root), type);
  return created(actor, reaction.id, reaction);
}

/** The older API knows only likes. */
export function createLike(call: Call): HttpResponse {
  const caller = authenticate(call);
  const body = call.body.fields;
  checkFields(body, ['actor', 'object'], []);
  const action = { ...engagementAction(call, 'SocialActions.CREATE'), field: 'actor' };
  const actor = actAs(call, caller, asText(body.actor), action);
  const entity = requireEntity(call, call.params.urn ?? '');
  const like = react(call, actor, entity, 'LIKE');
  return created(actor, urnOf(actor), { actor: urnOf(actor), object: threadUrn(entity), created: like.created });
}

/** The older API calls reactions of every type likes. */
export function listLikes(call: Call): HttpResponse {
  const caller = authenticate(call);
  const entity = requireEntity(call, call.params.urn ?? '');
  requireReading(call, caller, entity, 'SocialActions.GET_ALL');
  const likes = reactionsTo(call, entity).flatMap((record) => {
    const account = call.sandbox.store.accounts.find('linkedin', record.accountId ?? '');
    const like = { object: threadUrn(entity), created: present(call, record, entity).created };
    return account ? [{ actor: urnOf(account), ...like, ...decoration(call, account) }] : [];
  });
  return json(pageOf(call, likes));
}

export function deleteLike(call: Call): HttpResponse {
  const caller = authenticate(call);
  const action = { ...engagementAction(call, 'SocialActions.DELETE'), field: 'actor' };
  const actor = actAs(call, caller, call.params.actor ?? '', action);
  remove(call, actor, requireEntity(call, call.params.urn ?? ''));
  return empty();
}

export function deleteReaction(call: Call): HttpResponse {
  const caller = authenticate(call);
  const { actor: actorUrn, entity } = readKey(call);
  const actor = actAs(call, caller, actorUrn, actionOn(call, 'DELETE'));
  remove(call, actor, requireEntity(call, entity));
  return empty();
}

function reactionsTo(call: Call, entity: Post): StoredRecord[] {
  const all = call.sandbox.store.records.list('linkedin', 'reaction');
  return all.filter(({ data }) => data.entity === entity.id);
}

/** An actor has at most one reaction per entity, of any type. */
function react(call: Call, actor: Account, entity: Post, type: string) {
  const { records, reactions } = call.sandbox.store;
  const id = `${actor.id} ${entity.id}`;
  if (records.find('linkedin', 'reaction', id)) {
    refuse(409, 'CONFLICT', `${urnOf(actor)} has already reacted to ${threadUrn(entity)}`);
  }
  records.put('linkedin', 'reaction', id, { entity: entity.id, type }, actor.id);
  reactions.add(entity, actor.id, type);
  const record = records.find('linkedin', 'reaction', id);
  if (!record) throw new Error('The reaction was not kept.');
  return present(call, record, entity);
}

function remove(call: Call, actor: Account, entity: Post): void {
  const { records, reactions } = call.sandbox.store;
  const id = `${actor.id} ${entity.id}`;
  const reaction = records.find('linkedin', 'reaction', id) ?? notFound('Could not find reaction');
  records.remove('linkedin', 'reaction', id);
  reactions.remove(entity, actor.id, asText(reaction.data.type));
}

function present(call: Call, { accountId, data, createdAt }: StoredRecord, entity: Post) {
  const account = call.sandbox.store.accounts.find('linkedin', accountId ?? '');
  const actor = account ? urnOf(account) : '';
  const root = threadUrn(entity);
  return {
    id: `urn:li:reaction:(${actor},${root})`,
    root,
    reactionType: asText(data.type),
    created: { actor, time: createdAt },
    lastModified: { actor, time: createdAt },
  };
}

function actionOn(call: Call, method: string) {
  return { ...engagementAction(call, `Reactions.${method}`), field: 'actor' };
}

/** The key has the form `(actor:urn%3Ali%3A…,entity:urn%3Ali%3A…)`. Only the URNs in it must be encoded. */
function readKey({ path }: Call): { actor: string; entity: string } {
  const key = path.slice(path.lastIndexOf('/') + 1);
  const [, actor, entity] = /^\(actor:([^(),':]+),entity:([^(),':]+)\)$/.exec(key) ?? [];
  if (actor === undefined || entity === undefined) invalidPath();
  return { actor: decodeURIComponent(actor), entity: decodeURIComponent(entity) };
}
