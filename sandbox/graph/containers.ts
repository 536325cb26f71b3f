import { asText, asTexts } from '../http/coerce.ts';
import { isObject, type Json, type JsonObject } from '../http/json.ts';
import type { Call } from '../platform.ts';
import type { Account } from '../store/accounts.ts';
import type { Media } from '../store/media.ts';

/**
 * A post in preparation. It is created, becomes ready after a while, and expires after a day unless it is published.
 */
export interface Container {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: number;
  /** The media type, in the platform's terms. */
  readonly type: string;
  readonly isItem: boolean;
  readonly media: string | null;
  readonly children: readonly string[];
  readonly readyAt: number;
  /** The processing error, in the platform's terms; null when processing succeeds. */
  readonly failure: string | null;
  /** The parameters of the request that created it. */
  readonly given: JsonObject;
  /** The values that the platform derived from the parameters. */
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
  store.records.put(call.platform.id, 'container', id, record, account.id);
  return id;
}

export function findContainer(call: Call, id: string): Container | undefined {
  const record = call.sandbox.store.records.find(call.platform.id, 'container', id);
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
  call.sandbox.store.records.put(call.platform.id, 'container', id, record, accountId);
}

export function childrenOf(call: Call, container: Container): Container[] {
  return container.children.flatMap((id) => findContainer(call, id) ?? []);
}

/** The media of the container, or of its children in order. */
export function mediaOf(call: Call, container: Container): Media[] {
  const holders = container.children.length === 0 ? [container] : childrenOf(call, container);
  return holders.flatMap(({ media }) => call.sandbox.store.media.find(call.platform.id, media ?? '') ?? []);
}

/**
 * The publishing request contains only the container id. This adds the fields of the container, so that the recorded
 * request shows the whole post, as on other platforms.
 */
export function withContainerFields(call: Call, container: Container): Call {
  const items = childrenOf(call, container).map(({ given }) => given);
  const created = { ...container.given, ...(items.length > 0 && { items }) };
  return { ...call, body: { ...call.body, fields: { ...call.body.fields, container: created } } };
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
