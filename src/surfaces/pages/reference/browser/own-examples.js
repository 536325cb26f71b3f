import { samplesOf } from './samples.js';

/**
 * What the reader has: a key, and what it can reach. Connections are written as `mastodon-1`.
 * @typedef {{ key: string, connections: readonly string[], postGroupId: string | null, now: Date }} Own
 */

/** What a post can be sent to without a connection: it is checked and not stored. */
const playground = 'service-playground';
const sampleConnection = /^([a-z]+)-(\d{6,}|did:.+|[A-Za-z0-9]{8,})$/;
const sampleTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * Puts the reader's own key, connections, post and a time that is to come into all examples, and code beside each.
 * @template {object} T
 * @param {T} description an OpenAPI document
 * @param {string} origin where the service is
 * @param {Own} own
 * @returns {T}
 */
export function withOwnExamples(description, origin, own) {
  const copy = structuredClone(description);
  for (const server of copy.servers) server.url = new URL(server.url, origin).href;
  const base = copy.servers[0]?.url ?? origin;
  for (const [path, methods] of Object.entries(copy.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      for (const content of Object.values(operation.requestBody?.content ?? {})) {
        if (content.example !== undefined) content.example = ownValue(content.example, '', own);
      }
      const parameters = (operation.parameters ?? []).map((each) => resolved(each, copy));
      for (const parameter of parameters) parameter.example ??= ownParameter(parameter, own);
      operation['x-codeSamples'] = samplesOf(requestOf({ base, path, method, operation, parameters, own }));
    }
  }
  return copy;
}

function resolved(parameter, { components }) {
  if (!('$ref' in parameter)) return parameter;
  return components.parameters?.[parameter.$ref.split('/').at(-1) ?? ''] ?? { name: '', in: '' };
}

function ownValue(value, name, own) {
  if (typeof value === 'string') return ownText(value, name, own);
  if (Array.isArray(value)) return [...new Set(value.map((item) => ownValue(item, name, own)))];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, ownValue(item, key, own)]));
}

function ownText(text, name, own) {
  if (name === 'postGroupId') return own.postGroupId ?? text;
  if (name === 'scheduledTime' && sampleTime.test(text)) return tomorrow(own.now);
  const platform = /^platform(s|Id)$/.test(name) && sampleConnection.exec(text)?.[1];
  if (!platform) return text;
  const sameNetwork = own.connections.find((one) => one.startsWith(`${platform}-`));
  if (sameNetwork) return sameNetwork;
  return name === 'platforms' ? (own.connections[0] ?? playground) : text;
}

function ownParameter({ name }, own) {
  if (name === 'postGroupId') return own.postGroupId ?? undefined;
  if (name === 'platformId') return own.connections[0];
  return undefined;
}

const tomorrow = (now) => `${new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10)}T09:00:00.000Z`;

function requestOf({ base, path, method, operation, parameters, own }) {
  const filled = path.replace(/\{(\w+)\}/g, (placeholder, name) => {
    const value = parameters.find((parameter) => parameter.name === name)?.example;
    return typeof value === 'string' ? encodeURIComponent(value) : placeholder;
  });
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const request = { method: method.toUpperCase(), url: `${base}${filled}`, headers: credentials(operation, own) };
  if (type === 'multipart/form-data') return { ...request, form: formOf(content?.example) };
  return content?.example === undefined ? request : { ...request, json: content.example };
}

function credentials({ security = [] }, { key }) {
  if (security.some((one) => 'apiKey' in one)) return { 'x-service-key': key || 'YOUR_API_KEY' };
  return security.length > 0 ? { authorization: 'Bearer YOUR_ACCESS_TOKEN' } : {};
}

/** Files stand in parentheses in the examples. */
const formOf = (example) =>
  Object.fromEntries(
    Object.entries(example ?? {}).map(([name, value]) => [
      name,
      String(value).startsWith('(') ? `@${name}.${name === 'video' ? 'mp4' : 'jpg'}` : String(value),
    ]),
  );
