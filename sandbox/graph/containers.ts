import { asText, asTexts } from '../fields.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Call } from '../network.ts';
import type { Account } from '../store/accounts.ts';
import type { Media } from '../store/media.ts';

/** A post in preparation: made, ready after a while, published, and of no use after a day. */
export interface Container {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: number;
  /** What it will be, in the network's words. */
  readonly type: string;
  readonly isItem: boolean;
  readonly media: string | null;
  readonly children: readonly string[];
  readonly readyAt: number;
  /** In the network's words, what has gone wrong in processing. */
  readonly failure: string | null;
  /** The parameters with which it was made. */
  readonly given: JsonObject;
  /** What the network has made of them. */
  readonly data: JsonObject;
  readonly publishedAs: string | null;
}

export type NewContainer = Omit<Container, 'id' | 'accountId' | 'createdAt' | 'publishedAs' | 'given'>;
export type ContainerState = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED';

const lifeMs = 24 * 60 * 60_000;

export function addContainer(call: Call, account: Account, container: NewContainer, input: JsonObject): string {
  const { store } = call.sandbox;
  const id = store.ids.snowflake();
  const { access_token: _, ...given } = input;
  const { type, isItem, media, children, readyAt, failure, data } = container;
  const record = { type, isItem, media, children: [...children], readyAt, failure, data, given, publishedAs: null };
  store.records.put(call.network.id, 'container', id, record, account.id);
  return id;
}

export function findContainer(call: Call, id: string): Container | undefined {
  const record = call.sandbox.store.records.find(call.network.id, 'container', id);
  if (!record) return undefined;
  const { data, createdAt, accountId } = record;
  return {
    id,
    accountId: accountId ?? '',
    createdAt,
    type: asText(data.type),
    isItem: data.isItem === true,
    media: textOrNull(data.media),
    children: asTexts(data.children),
    readyAt: Number(data.readyAt),
    failure: textOrNull(data.failure),
    given: objectOf(data.given),
    data: objectOf(data.data),
    publishedAs: textOrNull(data.publishedAs),
  };
}

export function stateOf(call: Call, container: Container): ContainerState {
  const now = call.sandbox.now();
  if (container.publishedAs !== null) return 'PUBLISHED';
  if (container.createdAt + lifeMs <= now) return 'EXPIRED';
  if (container.readyAt > now) return 'IN_PROGRESS';
  return container.failure === null ? 'FINISHED' : 'ERROR';
}

export function markPublished(call: Call, container: Container, postId: string): void {
  const { id, accountId, createdAt: _, ...data } = container;
  const record = { ...data, children: [...data.children], publishedAs: postId };
  call.sandbox.store.records.put(call.network.id, 'container', id, record, accountId);
}

export function childrenOf(call: Call, container: Container): Container[] {
  return container.children.flatMap((id) => findContainer(call, id) ?? []);
}

/** Its own, or those of its children in their order. */
export function mediaOf(call: Call, container: Container): Media[] {
  const holders = container.children.length === 0 ? [container] : childrenOf(call, container);
  return holders.flatMap(({ media }) => call.sandbox.store.media.find(call.network.id, media ?? '') ?? []);
}

/**
 * The request that publishes names nothing but the container. With what that was made of, it says as much of the post
 * as the one request of other networks.
 */
export function wholeRequest(call: Call, container: Container): Call {
  const items = childrenOf(call, container).map(({ given }) => given);
  const made = { ...container.given, ...(items.length > 0 && { items }) };
  return { ...call, body: { ...call.body, fields: { ...call.body.fields, container: made } } };
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
