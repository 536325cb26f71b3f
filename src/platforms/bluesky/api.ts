import { type output, type ZodType, z } from 'zod';
import { type PlatformClient, PlatformError, secret } from '../kit/index.ts';
import { failure } from './failure.ts';

export const Credentials = z.object({
  /** Origin of the server that holds the account. */
  pds: z.url(),
  did: z.string().min(1),
  appPassword: secret(),
  accessJwt: secret(),
  refreshJwt: secret(),
});
export type Credentials = output<typeof Credentials>;

/** For reading what is public; knows every account, whichever server holds it. */
export const publicApi = 'https://public.api.bsky.app';

// The network's answers, as far as we read them.
export const DidDocument = z.object({
  id: z.string(),
  service: z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() })).default([]),
});
/** Whose session it is, and whether the account is open. */
export const Standing = z.object({
  did: z.string().min(1),
  handle: z.string().min(1),
  active: z.boolean().default(true),
  status: z.string().optional(),
});
export type Standing = output<typeof Standing>;
export const NewSession = Standing.extend({
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
  didDoc: DidDocument.optional().catch(undefined),
});
export type NewSession = output<typeof NewSession>;
export const ResolvedHandle = z.object({ did: z.string().min(1) });
export const Profile = z.object({ displayName: z.string().optional(), avatar: z.string().optional() });
const count = z
  .int()
  .nonnegative()
  .nullish()
  .catch(null)
  .transform((number) => number ?? null);
export const ProfileView = z.object({ followersCount: count, followsCount: count, postsCount: count });
export const PostViews = z.object({
  posts: z.array(
    z.object({
      uri: z.string(),
      likeCount: count,
      replyCount: count,
      repostCount: count,
      quoteCount: count,
      bookmarkCount: count,
    }),
  ),
});
export const BlobRef = z.object({
  $type: z.literal('blob'),
  ref: z.object({ $link: z.string() }),
  mimeType: z.string(),
  size: z.number(),
});
export type BlobRef = output<typeof BlobRef>;
export const UploadedBlob = z.object({ blob: BlobRef });
const recordName = { uri: z.string().startsWith('at://'), cid: z.string().min(1) };
/** Names a record at one version of it. */
export const RecordRef = z.object(recordName);
export type RecordRef = output<typeof RecordRef>;
export const StoredPost = z.object({
  ...recordName,
  value: z.object({ reply: z.object({ root: RecordRef }).optional().catch(undefined) }),
});
export const ServiceAuth = z.object({ token: z.string().min(1) });

/** A server, and the token we show there, if any. */
export interface At {
  origin: string;
  token?: string;
}
export const atPds = ({ pds, accessJwt }: Credentials): At => ({ origin: pds, token: accessJwt });

type Params = Record<string, string | readonly string[]>;

/** Asks; changes nothing. */
export function query<T extends ZodType>(answer: T, at: At, name: string, params: Params, ctx: PlatformClient) {
  return call(answer, at, name, { params }, ctx);
}

/** Acts. Some take JSON, some a file, some nothing: a body that is not expected is refused. */
export function procedure<T extends ZodType>(
  answer: T,
  at: At,
  name: string,
  input: Pick<Input, 'json' | 'file' | 'params' | 'alsoFine'>,
  ctx: PlatformClient,
) {
  return call(answer, at, name, { ...input, method: 'POST' }, ctx);
}

interface Input {
  method?: 'POST';
  params?: Params;
  json?: Record<string, unknown>;
  file?: { blob: Blob; type: string };
  /** A status of refusal that comes with an answer all the same. */
  alsoFine?: number;
}

async function call<T extends ZodType>(answer: T, at: At, name: string, input: Input, ctx: PlatformClient) {
  const { method = 'GET', params = {}, json, file, alsoFine } = input;
  const type = json ? 'application/json' : file?.type;
  const address = new URL(`/xrpc/${name}?${searchOf(params)}`, at.origin);
  const response = await ctx.fetch(address, {
    method,
    headers: {
      ...clientHeaders,
      ...(at.token && { authorization: `Bearer ${at.token}` }),
      ...(type && { 'content-type': type }),
    },
    body: json ? JSON.stringify(json) : (file?.blob ?? null),
  });
  if (!response.ok && response.status !== alsoFine) throw await failure(response, secretsIn(at, json));
  return read(answer, response);
}

/** A list is the same parameter again and again. */
const searchOf = (params: Params) =>
  new URLSearchParams(Object.entries(params).flatMap(([name, value]) => [value].flat().map((one) => [name, one])));

/** A document at an address of its own, outside the API. */
export async function fetchDocument<T extends ZodType>(
  answer: T,
  address: string,
  ctx: PlatformClient,
  signal?: AbortSignal,
) {
  const response = await ctx.fetch(address, { headers: clientHeaders, ...(signal && { signal }) });
  if (!response.ok) throw await failure(response, []);
  return read(answer, response);
}

const clientHeaders = { accept: 'application/json', 'user-agent': 'Crier (social publishing service)' };

async function read<T extends ZodType>(answer: T, response: Response): Promise<output<T>> {
  const parsed = answer.safeParse(parseJson(await response.text()));
  if (parsed.success) return parsed.data;
  throw new PlatformError('unavailable', 'Bluesky gave an answer that makes no sense.', {
    status: response.status,
    reason: z.prettifyError(parsed.error),
  });
}

/** What a refusal must not echo to people. */
const secretsIn = ({ token }: At, json: Input['json']) =>
  [token, json?.password].filter((value) => typeof value === 'string');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
