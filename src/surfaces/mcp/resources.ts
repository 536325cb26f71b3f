import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { Problem } from '../../foundation/errors/index.ts';
import type { Server } from '../../foundation/http/server.ts';
import { type Caller, callRoute, type RouteAnswer } from './call-route.ts';
import type { Operations } from './operations.ts';
import type { Arguments } from './tool.ts';

const json = 'application/json';

export const resources = [
  {
    uri: 'crier://connections',
    name: 'connections',
    title: 'Connected accounts',
    description: 'The connected accounts.',
    mimeType: json,
  },
  {
    uri: 'crier://platform-limits',
    name: 'platform-limits',
    title: 'Limits of all networks',
    description: 'The limits of each network for text, images and videos.',
    mimeType: json,
  },
];

export const resourceTemplates = [
  {
    uriTemplate: 'crier://post/{postGroupId}',
    name: 'post',
    title: 'Post',
    description: 'One post group with its text, its files and its status on each network.',
    mimeType: json,
  },
  {
    uriTemplate: 'crier://connection/{platformId}',
    name: 'connection',
    title: 'Connected account',
    description: 'One connected account, by its platformId.',
    mimeType: json,
  },
  {
    uriTemplate: 'crier://platform-limits/{platform}',
    name: 'platform-limits-of',
    title: 'Limits of a network',
    description: 'The limits of one network. crier://platform-limits lists the networks.',
    mimeType: json,
  },
];

interface Source {
  readonly operationId: string;
  fields?(id: string): Arguments;
  /** The part of the response that the URI names. Undefined: there is none. */
  part(answer: Record<string, unknown>, id: string): unknown;
}

/** The sources of the resources, by the part after `crier://`. */
const whole: Readonly<Record<string, Source>> = {
  connections: { operationId: 'listConnections', part: (answer) => answer },
  'platform-limits': { operationId: 'getPlatformLimits', part: (answer) => answer },
};
const byId: Readonly<Record<string, Source>> = {
  post: { operationId: 'getPost', fields: (postGroupId) => ({ postGroupId }), part: (answer) => answer },
  connection: {
    operationId: 'listConnections',
    part: ({ connections }, id) =>
      Array.isArray(connections) ? connections.find(({ platformId }: Arguments) => platformId === id) : undefined,
  },
  'platform-limits': {
    operationId: 'getPlatformLimits',
    part: ({ platforms }, id) => Object.entries(platforms ?? {}).find(([platform]) => platform === id)?.[1],
  },
};

export async function readResource(
  server: Pick<Server, 'inject'>,
  operations: Operations,
  uri: string,
  caller: Caller,
): Promise<ReadResourceResult> {
  const [, kind = '', , id] = /^crier:\/\/([\w-]+)(\/([^/?#]+))?$/.exec(uri) ?? [];
  const sources = id === undefined ? whole : byId;
  const source = Object.hasOwn(sources, kind) ? sources[kind] : undefined;
  const route = source && operations.get(source.operationId);
  const name = decoded(id ?? '');
  if (!route || name === null) throw new ResourceNotFoundError(uri);
  const { status, body } = await callRoute(server, route, source.fields?.(name) ?? {}, caller).catch(notFound(uri));
  if (status >= 400) throw refusal(uri, { status, body });
  const part = source.part(body, name);
  if (part === undefined) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, mimeType: json, text: JSON.stringify(part) }] };
}

/** An id that cannot be part of a path belongs to no resource. */
const notFound = (uri: string) => (error: unknown) => {
  throw error instanceof Problem ? new ResourceNotFoundError(uri) : error;
};

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * A malformed id counts as not found, like an unknown one. For some the contract returns 500, which is irrelevant here.
 */
function refusal(uri: string, { status, body }: RouteAnswer): Error {
  if (status === 400 || status === 404 || body.code === 'POST_GROUP_UNREADABLE') return new ResourceNotFoundError(uri);
  return new ProtocolError(ProtocolErrorCode.InternalError, String(body.error ?? body.message), body);
}
