import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { platforms } from '../index.ts';
import { type ApiVersion, apiVersions, versionWarnings } from './api-versions.ts';

const folder = new URL('..', import.meta.url).pathname;
const sources = globSync('**/*.ts', { cwd: folder })
  .filter((path) => !path.endsWith('.test.ts') && path !== 'kit/api-versions.ts')
  .map((path) => ({ path, text: readFileSync(folder + path, 'utf8') }));

/** A URL that contains a version, or a version of Meta or LinkedIn as text. */
const named = /https:\/\/[\w.-]+(?:\/[\w-]+)*\/(?:v\d+(?:\.\d+)?|2)(?=[/'"`?])|['"`/](?:v\d+\.\d+|20\d{4})['"`]/;

/** Consent pages and the link card service are not part of the versioned APIs. */
const notApis =
  /https:\/\/(accounts\.google\.com\/o\/oauth2\/v2|www\.tiktok\.com\/v2|www\.linkedin\.com\/oauth\/v2|cardyb\.bsky\.app\/v1)/g;

test('no adapter names a version itself', () => {
  expect(sources.length).toBeGreaterThan(100);
  const naming = sources.flatMap(({ path, text }) => {
    // A comment may link to the documentation of a version.
    const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(notApis, '');
    const [found] = named.exec(code) ?? [];
    return found ? [`${path}: ${found}`] : [];
  });
  expect(naming).toEqual([]);
});

test.for([
  "const api = 'https://api.x.com/2';",
  "const version = 'v26.0';",
  'const url = `https://graph.threads.net/v1.0/me`;',
  "standard: '202609',",
])('the search for versions finds them: %s', (code) => {
  expect(named.test(code)).toBe(true);
});

test('every platform with a version takes it from the table', () => {
  for (const platform of Object.keys(apiVersions)) {
    const own = sources.filter(({ path }) => path.startsWith(`${platform}/`));
    expect(own.some(({ text }) => text.includes(`apiVersions.${platform}`))).toBe(true);
  }
  expect(Object.keys(platforms).filter((id) => !(id in apiVersions))).toEqual(['mastodon', 'bluesky', 'telegram']);
});

test('every version has a name, and an end with a source or none that is announced', () => {
  for (const { version, endsOn, source } of Object.values<ApiVersion>(apiVersions)) {
    expect(version).toMatch(/^(v?\d+(\.\d+)?|20\d{4})$/);
    expect(source).toMatch(/^https:\/\//);
    if (endsOn !== null) expect(new Date(endsOn).toISOString().slice(0, 10)).toBe(endsOn);
  }
});

const on = (day: string, options = {}) => versionWarnings(new Date(`${day}T00:00:00Z`), options);

test('versions are fine today', () => {
  expect(on('2026-11-16')).toEqual([]);
});

test('a version that ends is announced 60 days ahead, and said to be over afterwards', () => {
  expect(on('2027-07-16')).toEqual([]);
  expect(on('2027-07-17')).toEqual([
    expect.stringMatching(/^LinkedIn retires version 202609 of its API on 2027-09-15, in 60 days\. Update Crier/),
  ]);
  expect(on('2027-09-14')).toEqual([expect.stringContaining('in 1 day.')]);
  expect(on('2027-09-15')).toEqual([
    expect.stringMatching(/^LinkedIn retired version 202609 .* so posts there may fail/),
  ]);
});

test('the version that the operator chose counts', () => {
  const chosen = (VERSION: string) => ({ linkedin: { VERSION } });
  expect(on('2027-08-01', chosen('202707'))).toEqual([]);
  expect(on('2026-11-16', chosen('202511'))).toEqual([expect.stringContaining('retired version 202511')]);
});
