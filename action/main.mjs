import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { contentOf, listOf, timeOf } from './release-post.mjs';
import { command, show, writeOutputs } from './runner.mjs';
import { serviceAt } from './service.mjs';

/** The GitHub Action: reads the inputs and the event, sends one post, and writes the outputs. */
const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
const isOn = (name) => input(name).toLowerCase() === 'true';
const base = `${input('url')
  .replace(/\/+$/, '')
  .replace(/\/api\/v1$/, '')}/api/v1`;
const call = serviceAt(base, input('api-key'));

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
  const content = contentOf(
    input('text'),
    placeholders(event),
    isOn('truncate') ? await shortestLimit(platforms) : Infinity,
  );
  const mediaUrls = listOf(input('media-urls'));
  const scheduledTime = timeOf(input('schedule-at'), event.release?.published_at, new Date());
  const when = isOn('draft') ? {} : scheduledTime ? { scheduledTime } : { publishNow: true };
  const post = { content, platforms, ...(mediaUrls.length > 0 && { mediaUrls }), ...when };
  show(content);
  const { status, postId } = isOn('dry-run') ? await check(post) : await send(post, event);
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

async function shortestLimit(targeted) {
  const { platforms } = await call('GET', '/platform-limits');
  const limits = targeted.map((id) => platforms[id.split('-')[0]]?.characters.standard ?? Infinity);
  return Math.min(...limits);
}

async function check(post) {
  const { validation } = await call('POST', '/validate-post', post);
  for (const { platform, message } of validation.errors) command('error', message, platform);
  if (!validation.valid) throw new Error('The post is not valid.');
  return { status: 'dry-run', postId: '' };
}

async function send(post, event) {
  // A release never posts twice, even if the workflow runs again.
  const subject = [
    event.repository?.full_name,
    event.release?.id ?? process.env.GITHUB_RUN_ID,
    ...post.platforms,
  ].join();
  const key = `release-${createHash('sha256').update(subject).digest('hex').slice(0, 40)}`;
  const { postGroupId, warnings = [] } = await call('POST', '/create-post', post, { 'idempotency-key': key });
  if (typeof postGroupId !== 'string')
    throw new Error('The response contains no post. Is this the URL of your Crier instance?');
  for (const { message } of warnings) command('warning', message, 'Crier');
  return { status: isOn('draft') ? 'draft' : post.scheduledTime ? 'scheduled' : 'published-now', postId: postGroupId };
}
