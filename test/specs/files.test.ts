import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../src/foundation/lib/json.ts';
import type { Exchange } from './exchange.ts';
import { specsIn } from './files/specs-dir.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crier-specs-dir-'));
  await mkdir(join(folder, 'meta'));
  await writeFile(join(folder, 'anything.json'), JSON.stringify(openApi));
  await writeFile(join(folder, 'other.json'), JSON.stringify({ ...openApi, info: { title: 'Weather', version: '1' } }));
  await writeFile(join(folder, 'google.json'), JSON.stringify(discovery));
  await writeFile(join(folder, 'readme.txt'), 'Not a description.');
  for (const [name, spec] of Object.entries(apiSpecs)) {
    await writeFile(join(folder, 'meta', `${name}.json`), JSON.stringify(spec));
  }
});
afterAll(() => rm(folder, { recursive: true }));

test('descriptions in a folder are recognized by what they contain, and others are left alone', () => {
  const sources = [...specsIn(folder)].map(([platform, specs]) => [platform, specs.map(({ source }) => source)]);
  expect(Object.fromEntries(sources)).toEqual({
    twitter: ['X API v2 9.9 (OpenAPI, anything.json)'],
    youtube: ['youtube v3 of 20260101 (discovery document, google.json)'],
    facebook: ["Meta's api_specs (meta)"],
    instagram: ["Meta's api_specs (meta)"],
  });
});

const problemsOf = async (platform: string, exchange: Exchange) => {
  const verdicts = await Promise.all((specsIn(folder).get(platform) ?? []).map((spec) => spec.check([exchange])));
  return verdicts.flat().flatMap(({ problems }) => problems);
};

describe('OpenAPI', () => {
  const call = aCall(
    'POST',
    'api.x.com',
    '/2/tweets',
    { text: 'Hi', made_with: ['ai'] },
    { data: { id: '7', text: 'Hi' } },
  );

  test('a call and an answer that fit', async () => {
    expect(await problemsOf('twitter', call)).toEqual([]);
    expect(
      await problemsOf('twitter', aCall('GET', 'api.x.com', '/2/tweets/7?fields=id,text', null, null, 404)),
    ).toEqual([]);
  });

  test.for<[string, Partial<Change>, string]>([
    ['a wrong path', { path: '/2/posts' }, 'POST /2/posts is not in the document.'],
    ['a wrong method', { method: 'PUT' }, 'PUT /2/tweets is not in the document.'],
    ['an unknown field', { sent: { text: 'Hi', txt: 1 } }, 'request: the field "/txt" is unknown'],
    ['a wrong type', { sent: { text: 7 } }, 'request: "/text" is 7, not string'],
    ['a missing field', { sent: {} }, 'request: the body is missing'],
    [
      'a wrong item',
      { sent: { text: 'Hi', made_with: ['pen'] } },
      'request: "/made_with[0]" is "pen", not one of ["ai","camera"]',
    ],
    [
      'an unknown field of an answer',
      { answered: { data: { id: '7', text: 'Hi', x: 1 } } },
      'answer: the field "/data/x" is unknown',
    ],
    ['a missing field of an answer', { answered: { data: { id: '7' } } }, 'answer: "/data/text" is missing'],
    ['a wrong type in an answer', { answered: { data: { id: 7, text: 'Hi' } } }, 'answer: "/data/id" is 7, not string'],
    [
      'an id of another form',
      { answered: { data: { id: 'x', text: 'Hi' } } },
      'answer: "/data/id" is "x": it must match ^\\d+$',
    ],
  ])('%s is refused', async ([, change, problem]) => {
    expect(await problemsOf('twitter', changed(call, change))).toContain(problem);
  });

  test('parameters of a query are checked', async () => {
    const path = '/2/tweets/7?fields=id,shoe_size&what=1';
    expect(await problemsOf('twitter', aCall('GET', 'api.x.com', path, null, null, 404))).toEqual([
      'request: "?fields[1]" is "shoe_size", not one of ["id","text"]',
      'request: the parameter "what" is unknown',
    ]);
    expect(await problemsOf('twitter', aCall('GET', 'api.x.com', '/2/tweets/7', null, null, 404))).toEqual([
      'request: the parameter "fields" is missing',
    ]);
  });
});

describe('a discovery document', () => {
  const path = '/upload/youtube/v3/videos?part=snippet&uploadType=resumable';
  const call = aCall('POST', 'www.googleapis.com', path, { snippet: { title: 'Sea' } }, { id: 'v1' });

  test('a call and an answer that fit', async () => {
    expect(await problemsOf('youtube', call)).toEqual([]);
  });

  test.for<[string, Partial<Change>, string]>([
    [
      'a wrong path',
      { path: '/upload/youtube/v3/films?part=id' },
      'POST /upload/youtube/v3/films is not in the document.',
    ],
    ['a wrong method', { method: 'DELETE' }, 'DELETE /upload/youtube/v3/videos is not in the document.'],
    ['an unknown field', { sent: { snippet: { titel: 'Sea' } } }, 'request: the field "/snippet/titel" is unknown'],
    ['a wrong type', { sent: { snippet: { title: 1 } } }, 'request: "/snippet/title" is 1, not string'],
    [
      'a missing parameter',
      { path: '/upload/youtube/v3/videos?uploadType=resumable' },
      'request: the parameter "part" is missing',
    ],
    ['an unknown parameter', { path: `${path}&colour=red` }, 'request: the parameter "colour" is unknown'],
    ['a wrong answer', { answered: { id: 7 } }, 'answer: "/id" is 7, not string'],
  ])('%s is refused', async ([, change, problem]) => {
    expect(await problemsOf('youtube', changed(call, change))).toContain(problem);
  });
});

describe("Meta's api_specs", () => {
  const call = aCall(
    'POST',
    'graph.instagram.com',
    '/v25.0/17/media',
    { image_url: 'https://a.example' },
    { id: '18' },
  );
  const read = aCall('GET', 'graph.instagram.com', '/v25.0/17/media?fields=id,caption', null, {
    data: [{ id: '18', caption: 'Hi' }],
  });

  test('calls and answers that fit', async () => {
    expect(await problemsOf('instagram', call)).toEqual([]);
    expect(await problemsOf('instagram', read)).toEqual([]);
  });

  test.for<[string, Exchange, Partial<Change>, string]>([
    ['a wrong edge', call, { path: '/v25.0/17/medium' }, 'Nothing is known of the object in POST /v25.0/17/medium.'],
    ['a wrong method', call, { method: 'DELETE' }, 'DELETE /media is no call on IGUserForIGOnlyAPI.'],
    ['an unknown parameter', call, { sent: { picture: 'x' } }, 'request: the parameter "picture" is unknown'],
    ['a wrong type', call, { sent: { is_carousel_item: 'maybe' } }, 'request: "is_carousel_item" is "maybe", not bool'],
    [
      'a missing parameter',
      call,
      { path: '/v25.0/17/media_publish', sent: {} },
      'request: the parameter "creation_id" is missing',
    ],
    ['an unknown field', read, { path: '/v25.0/17/media?fields=id,size' }, 'request: the field "size" is unknown'],
    [
      'an unknown field of an answer',
      read,
      { answered: { data: [{ size: 1 }] } },
      'answer: the field "size" is unknown',
    ],
    ['a wrong type in an answer', read, { answered: { data: [{ caption: 1 }] } }, 'answer: "caption" is 1, not string'],
  ])('%s is refused', async ([, exchange, change, problem]) => {
    expect(await problemsOf('instagram', changed(exchange, change))).toContain(problem);
  });
});

interface Change {
  method: string;
  path: string;
  sent: Json;
  answered: Json;
}

function changed({ method, host, path, query, request, answer }: Exchange, change: Partial<Change>): Exchange {
  const address = change.path ?? `${path}?${query}`;
  const { sent = request.body, answered = answer?.body ?? null } = change;
  return aCall(change.method ?? method, host, address, sent, answered);
}

function aCall(method: string, host: string, address: string, sent: Json, answered: Json, status = 200): Exchange {
  const { pathname, searchParams } = new URL(address, `https://${host}`);
  const headers = { 'content-type': 'application/json' };
  const answer = { status, headers, body: answered };
  return {
    operation: 'other',
    method,
    host,
    path: pathname,
    query: searchParams,
    request: { headers, body: sent },
    answer,
  };
}

const id = { type: 'string', pattern: '^\\d+$' };
const jsonOf = (schema: object) => ({ content: { 'application/json': { schema } } });
const openApi = {
  openapi: '3.0.0',
  info: { title: 'X API v2', version: '9.9' },
  servers: [{ url: 'https://api.x.com' }],
  paths: {
    '/2/tweets': {
      post: {
        requestBody: { required: true, ...jsonOf({ $ref: '#/components/schemas/NewPost' }) },
        responses: { 200: jsonOf({ type: 'object', properties: { data: { $ref: '#/components/schemas/Post' } } }) },
      },
    },
    '/2/tweets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: id }],
      get: { parameters: [{ $ref: '#/components/parameters/Fields' }], responses: {} },
    },
  },
  components: {
    parameters: {
      Fields: {
        name: 'fields',
        in: 'query',
        required: true,
        schema: { type: 'array', items: { enum: ['id', 'text'] } },
      },
    },
    schemas: {
      NewPost: {
        type: 'object',
        properties: { text: { type: 'string' }, made_with: { type: 'array', items: { enum: ['ai', 'camera'] } } },
      },
      Post: { allOf: [{ required: ['id', 'text'], properties: { id } }, { properties: { text: { type: 'string' } } }] },
    },
  },
};

const part = { type: 'string', location: 'query', required: true, repeated: true };
const discovery = {
  discoveryVersion: 'v1',
  name: 'youtube',
  version: 'v3',
  revision: '20260101',
  parameters: { uploadType: { type: 'string', location: 'query' } },
  schemas: {
    Video: { type: 'object', properties: { id: { type: 'string' }, snippet: { $ref: 'Snippet' } } },
    Snippet: { type: 'object', properties: { title: { type: 'string' } } },
  },
  resources: {
    videos: {
      methods: {
        insert: {
          httpMethod: 'POST',
          path: 'youtube/v3/videos',
          parameters: { part },
          request: { $ref: 'Video' },
          response: { $ref: 'Video' },
          mediaUpload: { protocols: { simple: { path: '/upload/youtube/v3/videos' } } },
        },
      },
    },
  },
};

const optional = (name: string, type: string) => ({ name, type, required: false });
const apiSpecs = {
  IGUser: { apis: [], fields: [] },
  IGUserForIGOnlyAPI: {
    apis: [
      { method: 'GET', endpoint: 'media', return: 'Media', params: [] },
      {
        method: 'POST',
        endpoint: 'media',
        return: 'IGGraphMedia',
        params: [optional('image_url', 'string'), optional('is_carousel_item', 'bool')],
      },
      {
        method: 'POST',
        endpoint: 'mediapublish',
        return: 'Object',
        params: [{ name: 'creation_id', type: 'unsigned int', required: true }],
      },
    ],
    fields: [{ name: 'id', type: 'string' }],
  },
  IGMediaForIGOnlyAPI: {
    apis: [],
    fields: [
      { name: 'id', type: 'string' },
      { name: 'caption', type: 'string' },
    ],
  },
  enum_types: [],
};
