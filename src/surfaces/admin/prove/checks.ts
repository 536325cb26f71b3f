import { testConnection } from '../../../features/connections/credentials/test-connection.ts';
import { readerFor } from '../../../features/insights/statistics/stats-reader.ts';
import type { Limits } from '../../../platforms/kit/index.ts';
import { AdminError } from '../error-message.ts';
import { kindOf } from './compare.ts';
import { NotOffered, type Proof } from './proof.ts';
import { outcomeUnknown, type PostKind, publishSample, SampleFailed } from './sample-posts.ts';

/** `run` returns its observation. It throws `NotOffered`, or the failure. */
interface Check {
  readonly name: string;
  run(proof: Proof): Promise<string>;
}

/** In this order: later checks use posts that earlier ones have published. */
export const checks: readonly Check[] = [
  { name: 'identity', run: identity },
  { name: 'text', run: (proof) => published(proof, 'text') },
  { name: 'picture', run: (proof) => published(proof, 'picture') },
  { name: 'video', run: (proof) => published(proof, 'video') },
  { name: 'thread', run: (proof) => published(proof, 'thread') },
  { name: 'comment', run: comment },
  { name: 'statistics', run: statistics },
  { name: 'lost answer', run: lostAnswer },
];

async function identity({ app, who, connection }: Proof): Promise<string> {
  const { status, message } = await testConnection(app, who, `${connection.platform}-${connection.accountId}`);
  if (status !== 'ok') throw new AdminError(message);
  return message;
}

async function published(proof: Proof, kind: PostKind): Promise<string> {
  requireOffered(proof, kind);
  const { id, link } = await publishSample(proof, kind, { name: kind });
  proof.published.set(kind, id);
  return link ?? id;
}

async function comment(proof: Proof): Promise<string> {
  if (limitsOf(proof).firstComment === null) throw new NotOffered('The network does not support first comments.');
  const { comments } = await publishSample(proof, simplestKind(proof), { name: 'post', comment: true });
  const [only] = comments;
  if (only?.status !== 'posted') throw new AdminError(only?.error?.message ?? 'The comment was not posted.');
  return only.commentId ?? 'accepted without an id';
}

async function statistics(proof: Proof): Promise<string> {
  const { app, platform, connection, published: known, signal } = proof;
  if (!platform.stats) throw new NotOffered('Crier does not read statistics of individual posts on this network.');
  const [id] = known.values();
  if (id === undefined) throw new AdminError('Nothing was published, so there are no statistics to read.');
  const counts = (await readerFor(app, connection).posts([id], signal)).get(id);
  if (!counts) throw new AdminError(`The network cannot find the post ${id}.`);
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count ?? 'unknown'}`)
    .join(', ');
}

/**
 * The network accepts the post, but Crier never gets the response. The engine must find the post, and must not send it
 * twice.
 */
async function lostAnswer(proof: Proof): Promise<string> {
  const kind = simplestKind(proof);
  const call = publishingCall(proof, kind);
  if (!call) throw new AdminError(`The check "${kind}" did not publish anything, so there is no response to lose.`);
  proof.recorder.loseAnswer((made) => kindOf(made) === call);
  const found = await publishSample(proof, kind, { name: 'lost answer' }).catch(unlessUnknown);
  const made = proof.recorder.exchanges.filter(
    (exchange) => exchange.check === 'lost answer' && kindOf(exchange) === call,
  );
  if (!made.some(({ isLost }) => isLost))
    throw new AdminError('No response was lost: the network was called in another way.');
  if (found === null)
    return 'the network cannot be queried, so the outcome stayed unknown and the post was not sent again';
  return made.length === 1
    ? `found as ${found.id}, sent once`
    : `${found.id}, sent ${made.length} times, which the network counted as one`;
}

/** If the network cannot be asked, an unknown outcome is the only correct result. */
function unlessUnknown(error: unknown): null {
  if (error instanceof SampleFailed && error.code === outcomeUnknown) return null;
  throw error;
}

/** The last request of the check that changed something. Some networks also use POST for reads. */
function publishingCall({ recorder }: Proof, check: string): string | null {
  const made = recorder.exchanges
    .filter((exchange) => exchange.check === check && exchange.method !== 'GET' && exchange.response?.status)
    .map(kindOf)
    .filter((kind) => !/\b(status|query|fetch|token)\b/i.test(kind));
  return made.at(-1) ?? null;
}

const limitsOf = ({ platform, connection }: Proof): Limits =>
  platform.limitsFor?.(connection.traits) ?? platform.limits;

function simplestKind(proof: Proof): PostKind {
  const { mediaRequired, videoRequired } = limitsOf(proof);
  if (videoRequired) return 'video';
  return mediaRequired ? 'picture' : 'text';
}

function requireOffered(proof: Proof, kind: PostKind) {
  const { images, video, threads, mediaRequired, videoRequired } = limitsOf(proof);
  const offered = {
    text: !mediaRequired && !videoRequired,
    picture: images !== null && !videoRequired,
    video: video !== null,
    thread: threads !== null && proof.platform.publishThread !== undefined,
  };
  if (!offered[kind]) throw new NotOffered(`The network does not accept this kind of post: ${kind}.`);
}
