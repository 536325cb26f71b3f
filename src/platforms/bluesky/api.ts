import { type output, type ZodType, z } from 'zod';
import {
  type ApiRequest,
  apiCalls,
  maxAnswerBytes,
  maxTokenLength,
  OptionalCount,
  type PlatformClient,
  secret,
} from '../kit/index.ts';
import { failureIn } from './failure.ts';

// Anyone can run a server, so every text has a maximum. The longest DIDs contain a domain name.
const maxIdLength = 300;
const maxTextLength = 10_000;
const maxAddressLength = 2_048;
const Did = z.string().max(maxIdLength).min(1);

export const Credentials = z.object({
  /** Origin of the server that hosts the account. */
  pds: z.url().max(maxAddressLength),
  did: Did,
  appPassword: secret(),
  accessJwt: secret(),
  refreshJwt: secret(),
});
export type Credentials = output<typeof Credentials>;

/** Reads public data. It knows every account, whichever server hosts it. */
export const publicApi = 'https://public.api.bsky.app';

// Bluesky's responses, as far as the adapter reads them.
export const DidDocument = z.object({
  id: z.string().max(maxIdLength),
  service: z
    .array(
      z.object({
        id: z.string().max(maxTextLength),
        serviceEndpoint: z.string().max(maxAddressLength).optional().catch(undefined),
      }),
    )
    .default([]),
});
/** The account of a session, and whether it is active. */
export const SessionAccount = z.object({
  did: Did,
  handle: z.string().max(maxIdLength).min(1),
  active: z.boolean().default(true),
  status: z.string().max(maxTextLength).optional(),
});
export type SessionAccount = output<typeof SessionAccount>;
/** We parse its claims, so a server must not control their size. */
const Jwt = z.string().max(maxTokenLength).min(1);
export const NewSession = SessionAccount.extend({
  accessJwt: Jwt,
  refreshJwt: Jwt,
  didDoc: DidDocument.optional().catch(undefined),
});
export type NewSession = output<typeof NewSession>;
export const ResolvedHandle = z.object({ did: Did });
export const Profile = z.object({
  displayName: z.string().max(maxTextLength).optional(),
  avatar: z.string().max(maxTextLength).optional(),
});
export const ProfileView = z.object({
  followersCount: OptionalCount,
  followsCount: OptionalCount,
  postsCount: OptionalCount,
});
export const PostViews = z.object({
  posts: z.array(
    z.object({
      uri: z.string().max(maxTextLength),
      likeCount: OptionalCount,
      replyCount: OptionalCount,
      repostCount: OptionalCount,
      quoteCount: OptionalCount,
      bookmarkCount: OptionalCount,
    }),
  ),
});
export const BlobRef = z.object({
  $type: z.literal('blob'),
  ref: z.object({ $link: z.string().max(1_000) }),
  mimeType: z.string().max(255),
  size: z.number(),
});
export type BlobRef = output<typeof BlobRef>;
export const UploadedBlob = z.object({ blob: BlobRef });
// The URI is the post's id, which is stored in an index. URIs have no other characters.
const recordName = {
  uri: z
    .string()
    .max(1000)
    .regex(/^at:\/\/[\x21-\x7e]+$/),
  cid: z.string().max(1000).min(1),
};
/** Identifies one version of a record. */
export const RecordRef = z.object(recordName);
export type RecordRef = output<typeof RecordRef>;
export const StoredPost = z.object({
  ...recordName,
  value: z.object({ reply: z.object({ root: RecordRef }).optional().catch(undefined) }),
});
export const ServiceAuth = z.object({ token: z.string().max(maxTokenLength).min(1) });

/** A server, an optional token to send there, and its response size limit if larger than the default. */
export interface At {
  origin: string;
  token?: string;
  maxAnswerBytes?: number;
}
export const atPds = ({ pds, accessJwt }: Credentials): At => ({ origin: pds, token: accessJwt });

const calls = apiCalls({ name: 'Bluesky', failureIn, maxAnswerBytes });
const clientHeaders = { 'user-agent': 'Crier (social publishing service)' };

type Params = NonNullable<ApiRequest['query']>;

/** A read-only call. */
export const query = <T extends ZodType>(answer: T, at: At, name: string, params: Params, ctx: PlatformClient) =>
  calls.call(answer, requestTo(at, name, { query: params }), ctx);

interface Input {
  params?: Params;
  json?: Record<string, unknown>;
  file?: { blob: Blob; type: string };
  expected?: readonly number[];
}

/** A call that changes something. Some procedures take JSON, some a file, and some refuse any body. */
export function procedure<T extends ZodType>(answer: T, at: At, name: string, input: Input, ctx: PlatformClient) {
  const { params, json, file, expected } = input;
  const request = requestTo(at, name, {
    method: 'POST',
    body: json ?? file?.blob,
    ...(params && { query: params }),
    ...(file && { headers: { 'content-type': file.type } }),
    ...(expected && { expected }),
    ...(typeof json?.password === 'string' && { secrets: [json.password] }),
  });
  return calls.call(answer, request, ctx);
}

/** A document outside the API, at a separate URL. */
export const fetchDocument = <T extends ZodType>(answer: T, url: string, ctx: PlatformClient, signal?: AbortSignal) =>
  calls.call(answer, { url, headers: clientHeaders, ...(signal && { signal }) }, ctx);

const requestTo = ({ origin, token, ...at }: At, name: string, request: Omit<ApiRequest, 'url'>): ApiRequest => ({
  ...at,
  ...request,
  url: new URL(`/xrpc/${name}`, origin),
  accessToken: token,
  headers: { ...clientHeaders, ...request.headers },
});
