import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { contentOf, listOf, timeOf } from './release-post.mjs';

/** The program of the GitHub Action: it reads the inputs and the event, sends one post, and writes the outputs. */
const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
const isOn = (name) => input(name).toLowerCase() === 'true';
const base = `${input('url')
  .replace(/\/+$/, '')
  .replace(/\/api\/v1$/, '')}/api/v1`;
const attempts = 5;

try {
  await run();
} catch (error) {
  console.log(`::error title=Crier::${escaped(error.message)}`);
  process.exitCode = 1;
}

async function run() {
  for (const name of ['url', 'api-key']) if (!input(name)) throw new Error(`The input ${name} is missing.`);
  console.log(`::add-mask::${input('api-key')}`);
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
  console.log(content);
  const { status, postId } = isOn('dry-run') ? await check(post) : await send(post, event);
  write({ 'post-id': postId, status, content, platforms: platforms.join(',') });
}

/** What the placeholders stand for. */
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
  for (const { platform, message } of validation.errors) console.log(`::error title=${platform}::${escaped(message)}`);
  if (!validation.valid) throw new Error('The post is not valid.');
  return { status: 'dry-run', postId: '' };
}

async function send(post, event) {
  // The same release never posts twice, also if the workflow is run again.
  const subject = [
    event.repository?.full_name,
    event.release?.id ?? process.env.GITHUB_RUN_ID,
    ...post.platforms,
  ].join();
  const key = `release-${createHash('sha256').update(subject).digest('hex').slice(0, 40)}`;
  const { postGroupId, warnings = [] } = await call('POST', '/create-post', post, { 'idempotency-key': key });
  for (const { message } of warnings) console.log(`::warning title=Crier::${escaped(message)}`);
  return { status: isOn('draft') ? 'draft' : post.scheduledTime ? 'scheduled' : 'published-now', postId: postGroupId };
}

/** Repeats what can pass. A post has an idempotency key, so that it is safe. */
async function call(method, path, body, more = {}, attempt = 1) {
  const headers = { 'x-service-key': input('api-key'), 'content-type': 'application/json', ...more };
  const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${base}${path}`, request).catch((error) => ({ status: 0, error }));
  const answer = await response.json?.().catch(() => ({}));
  if (response.ok) return answer;
  if (attempt < attempts && [0, 429, 502, 503, 504].includes(response.status)) {
    const seconds = Number(response.headers?.get('retry-after') ?? attempt);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return call(method, path, body, more, attempt + 1);
  }
  if (response.status === 0)
    throw new Error(`${base} does not answer: ${response.error.cause?.code ?? 'no connection'}.`);
  throw new Error([answer.code, answer.error ?? `Status ${response.status}`, answer.hint].filter(Boolean).join(': '));
}

function write(outputs) {
  const boundary = `crier-${createHash('sha256').update(JSON.stringify(outputs)).digest('hex').slice(0, 24)}`;
  const lines = Object.entries(outputs).map(([name, value]) => `${name}<<${boundary}\n${value}\n${boundary}\n`);
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, lines.join(''));
}

/** A line of the log that GitHub reads as a command ends at a line break. */
function escaped(text) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
