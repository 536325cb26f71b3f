import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { contentOf, listOf, timeOf } from './release-post.mjs';
import { command, show, writeOutputs } from './runner.mjs';
import { serviceAt } from './service.mjs';

/** The GitHub Action: reads the inputs and the event, sends the posts, and writes the outputs. */
const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
const isOn = (name) => input(name).toLowerCase() === 'true';
const base = `${input('url')
  .replace(/\/+$/, '')
  .replace(/\/api\/v1$/, '')}/api/v1`;
const call = serviceAt(base, input('api-key'));
/** The clocks of GitHub and the service may differ by this much. */
const toleranceMs = 5 * 60_000;

try {
  await run();
} catch (error) {
  command('error', error.message, 'Crier');
  process.exitCode = 1;
}

async function run() {
  for (const name of ['url', 'api-key']) if (!input(name)) throw new Error(`The input ${name} is missing.`);
  command('add-mask', input('api-key'));
  const event = JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH ?? '', 'utf8'));
  const platforms = await targets();
  const limits = isOn('truncate') ? await characterLimits() : new Map();
  const textFor = (limit) => contentOf(input('text'), placeholders(event), limit);
  const content = textFor(Math.min(...platforms.map((id) => limits.get(id.split('-')[0]) ?? Infinity)));
  const mediaUrls = listOf(input('media-urls'));
  const scheduledTime = timeOf(input('schedule-at'), event.release?.published_at, new Date());
  const when = isOn('draft') ? {} : scheduledTime ? { scheduledTime } : { publishNow: true };
  const post = { content, platforms, ...(mediaUrls.length > 0 && { mediaUrls }), ...when };
  show(content);
  // Another set of connections may have had another limit.
  const texts = new Set([Infinity, ...limits.values()].map(textFor));
  const { status, postId } = isOn('dry-run') ? await dryRun(post) : await send(post, event, texts);
  writeOutputs({ 'post-id': postId, status, content, platforms: platforms.join(',') });
}

/** The values of the placeholders. */
function placeholders({ release = {}, repository = {} }) {
  return {
    release: release.name || release.tag_name || '',
    tag: release.tag_name ?? '',
    notes: release.body ?? '',
    url: release.html_url ?? '',
    repo: repository.full_name ?? process.env.GITHUB_REPOSITORY ?? '',
  };
}

async function targets() {
  const named = listOf(input('platforms'));
  if (named.join() !== 'all') return named;
  const { connections } = await call('GET', '/platform-connections');
  const active = connections.filter(({ connectionStatus }) => connectionStatus === 'active');
  if (active.length === 0) throw new Error('No account is connected. Connect one, or connect it again.');
  return active.map(({ platformId }) => platformId);
}

/** The length of a post on each network. */
async function characterLimits() {
  const { platforms } = await call('GET', '/platform-limits');
  return new Map(Object.entries(platforms).map(([name, { characters }]) => [name, characters.standard]));
}

async function check(post) {
  const { validation } = await call('POST', '/validate-post', post);
  for (const { platform, message } of validation.errors) command('error', message, platform);
  if (!validation.valid) throw new Error('The post is not valid.');
}

async function dryRun(post) {
  await check(post);
  return { status: 'dry-run', postId: '' };
}

/** A release never posts twice to a connection, even if the workflow runs again with others. */
async function send(post, event, texts) {
  const ids = await earlierPosts(event.release?.published_at, texts);
  const missing = post.platforms.filter((id) => !ids.has(id));
  for (const [platformId, id] of ids) {
    if (post.platforms.includes(platformId)) command('notice', `${platformId} has this text in post ${id}.`, 'Crier');
  }
  // A person looks at one draft. Other posts have a key for each connection.
  const parts = missing.length > 0 && isOn('draft') ? [missing.toSorted()] : missing.map((id) => [id]);
  if (parts.length > 1) await check({ ...post, platforms: missing });
  for (const platforms of parts) {
    const id = await create({ ...post, platforms }, event);
    for (const platformId of platforms) ids.set(platformId, id);
  }
  const postId = [...new Set(post.platforms.map((id) => ids.get(id)))].join(',');
  return { status: isOn('draft') ? 'draft' : post.scheduledTime ? 'scheduled' : 'published-now', postId };
}

/**
 * Posts with one of these texts since the release, by connection. Crier forgets a key after a day. Without a release,
 * the same text may be another post.
 */
async function earlierPosts(publishedAt, texts) {
  const found = new Map();
  const since = Date.parse(publishedAt) - toleranceMs;
  for (let page = 1, hasMore = since > 0; hasMore; page += 1) {
    const { posts, pagination } = await call('GET', `/list-posts?limit=100&page=${page}`);
    const recent = posts.filter(({ createdAt }) => Date.parse(createdAt) >= since);
    for (const { content, platforms, postGroupId } of recent) {
      if (texts.has(content)) for (const { platformId } of platforms) found.set(platformId, postGroupId);
    }
    hasMore = pagination.hasNextPage && recent.length === posts.length;
  }
  return found;
}

async function create(post, event) {
  const subject = [event.repository?.full_name, event.release?.id ?? process.env.GITHUB_RUN_ID, ...post.platforms];
  const key = `release-${createHash('sha256').update(subject.join()).digest('hex').slice(0, 40)}`;
  const { postGroupId, warnings = [] } = await call('POST', '/create-post', post, { 'idempotency-key': key });
  if (typeof postGroupId !== 'string')
    throw new Error('The response contains no post. Is this the URL of your Crier instance?');
  for (const { message } of warnings) command('warning', message, 'Crier');
  return postGroupId;
}
