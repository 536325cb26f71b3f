import { describe, expect, test } from 'vitest';
import { isAllowedRedirect, isRegisteredRedirect } from './redirect-uri.ts';

describe('an application gets its answer', () => {
  test.each([
    'https://example.com/callback',
    'https://example.com/callback?with=query',
    'http://localhost:3000/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:8080/callback',
  ])('at %s', (uri) => expect(isAllowedRedirect(uri)).toBe(true));

  test.each([
    ['no address', 'callback'],
    ['http elsewhere', 'http://example.com/callback'],
    ['http at a name that begins like this machine', 'http://localhost.example.com/callback'],
    ['http in the network', 'http://192.168.0.2/callback'],
    ['another scheme', 'app://localhost/callback'],
    ['a fragment', 'https://example.com/callback#part'],
    ['a user name', 'https://user@example.com/callback'],
    ['a password', 'https://:secret@example.com/callback'],
  ])('not at %s', (_, uri) => expect(isAllowedRedirect(uri)).toBe(false));
});

describe('an address is one that was registered', () => {
  test('letter by letter', () => {
    const registered = ['https://example.com/one', 'https://example.com/two'];
    expect(isRegisteredRedirect('https://example.com/two', registered)).toBe(true);
    expect(isRegisteredRedirect('https://example.com/two/', registered)).toBe(false);
    expect(isRegisteredRedirect('https://example.com:8443/two', registered)).toBe(false);
  });

  test('at any port of the person’s own machine', () => {
    const registered = ['http://127.0.0.1:7777/callback'];
    expect(isRegisteredRedirect('http://127.0.0.1:9999/callback', registered)).toBe(true);
    expect(isRegisteredRedirect('http://127.0.0.1:9999/other', registered)).toBe(false);
    expect(isRegisteredRedirect('http://localhost:7777/callback', registered)).toBe(false);
    expect(isRegisteredRedirect('https://127.0.0.1:7777/callback', registered)).toBe(false);
  });

  test('and that is allowed', () => {
    expect(isRegisteredRedirect('http://example.com/', ['http://example.com/'])).toBe(false);
  });
});
