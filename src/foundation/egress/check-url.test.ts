import { describe, expect, test } from 'vitest';
import { checkUrl, exceptionsFrom } from './check-url.ts';
import { EgressError } from './egress-error.ts';

function check(url: string, ...allow: string[]): string {
  try {
    return checkUrl(url, exceptionsFrom(allow)).href;
  } catch (error) {
    if (error instanceof EgressError) return error.code;
    throw error;
  }
}

describe('without exceptions', () => {
  test('https addresses of public names and public addresses are fine', () => {
    expect(check('https://example.com/a?b#c')).toBe('https://example.com/a?b#c');
    expect(check('https://example.com:443/')).toBe('https://example.com/');
    expect(check('https://93.184.216.34/')).toBe('https://93.184.216.34/');
    expect(check('https://[2606:4700::1111]/')).toBe('https://[2606:4700::1111]/');
    expect(check('HTTPS://MÜNCHEN.example/')).toBe('https://xn--mnchen-3ya.example/');
  });

  test.each([
    ['invalid_url', ''],
    ['invalid_url', 'example.com'],
    ['invalid_url', 'https://'],
    ['invalid_url', 'https://exa mple.com/'],
    ['invalid_url', 'https://[fe80::1%25eth0]/'],
    ['invalid_url', 'https://1.2.3.4.5/'],
    ['invalid_url', 'https://0x1ffffffff/'],
    ['invalid_url', 'https://example.com:99999/'],
    ['protocol', 'http://example.com/'],
    ['protocol', 'ftp://example.com/'],
    ['protocol', 'file:///etc/passwd'],
    ['protocol', 'data:text/plain,hello'],
    ['protocol', 'unix:/var/run/docker.sock'],
    ['protocol', 'http://127.0.0.1/'],
    ['credentials', 'https://user@example.com/'],
    ['credentials', 'https://:password@example.com/'],
    ['credentials', 'https://example.com@127.0.0.1/'],
    ['port', 'https://example.com:80/'],
    ['port', 'https://example.com:8443/'],
    ['port', 'https://127.0.0.1:5432/'],
    ['blocked_host', 'https://localhost/'],
    ['blocked_host', 'https://LOCALHOST./'],
    ['blocked_host', 'https://a.localhost/'],
    ['blocked_host', 'https://printer.local/'],
    ['blocked_host', 'https://metadata.google.internal/'],
    ['blocked_host', 'https://metadata.google.internal./'],
    ['blocked_host', 'https://loc\nalhost/'],
    ['blocked_host', 'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/'],
    ['blocked_host', 'https:\\\\127.0.0.1\\'],
    ['blocked_host', 'https:127.0.0.1'],
    ['blocked_host', 'https://127.1/'],
    ['blocked_host', 'https://2130706433/'],
    ['blocked_host', 'https://0/'],
    ['blocked_host', 'https://[::]/'],
    ['blocked_host', 'https://[::ffff:7f00:1]/'],
  ])('%s: %s', (code, url) => {
    expect(check(url)).toBe(code);
  });

  test.each(['https://', 'https:\\\\', 'https:', ' https:///'])(
    'a long name after %j is refused before it is parsed',
    (start) => {
      const name = Array.from({ length: 400 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
      expect(check(`${start}${name}.example/`)).toBe('invalid_url');
      expect(check(`${start}example.com/${'a'.repeat(9_000)}`)).toBe('invalid_url');
      expect(check(`${start}example.com/${name}`)).toContain('https://example.com/');
    },
  );

  test('names that only look local are fine', () => {
    expect(check('https://mylocal/')).toBe('https://mylocal/');
    expect(check('https://localhost.example.com/')).toBe('https://localhost.example.com/');
  });

  test('line breaks in an address become part of no header', () => {
    expect(check('https://example.com/a\r\nX-Injected: yes')).toBe('https://example.com/aX-Injected:%20yes');
    expect(check('https://example.com/%0d%0aX-Injected:%20yes')).toBe('https://example.com/%0d%0aX-Injected:%20yes');
  });
});

describe('an exception', () => {
  test('opens http and https at its host and port, private or not', () => {
    expect(check('http://127.0.0.1:8080/', '127.0.0.1:8080')).toBe('http://127.0.0.1:8080/');
    expect(check('https://127.0.0.1:8080/', '127.0.0.1:8080')).toBe('https://127.0.0.1:8080/');
    expect(check('http://localhost/', 'localhost:80')).toBe('http://localhost/');
    expect(check('https://nas.local/', 'nas.local:443')).toBe('https://nas.local/');
    expect(check('http://[::1]:8080/', '[::1]:8080')).toBe('http://[::1]:8080/');
  });

  test('is found however host and address are written', () => {
    expect(check('http://NAS.local.:8080/', 'nas.local:8080')).toBe('http://nas.local.:8080/');
    expect(check('http://nas.local:8080/', 'NAS.Local.:8080')).toBe('http://nas.local:8080/');
    expect(check('http://2130706433:8080/', '127.0.0.1:8080')).toBe('http://127.0.0.1:8080/');
    expect(check('http://[0:0:0:0:0:0:0:1]:8080/', '[::1]:8080')).toBe('http://[::1]:8080/');
  });

  test('opens no other port, host or scheme', () => {
    expect(check('http://nas.local:8081/', 'nas.local:8080')).toBe('protocol');
    expect(check('https://nas.local:8081/', 'nas.local:8080')).toBe('port');
    expect(check('https://nas.local/', 'nas.local:8080')).toBe('blocked_host');
    expect(check('https://evil.nas.local:8080/', 'nas.local:8080')).toBe('port');
    expect(check('ftp://nas.local:8080/', 'nas.local:8080')).toBe('protocol');
  });

  test('does not let credentials pass', () => {
    expect(check('http://user:password@127.0.0.1:8080/', '127.0.0.1:8080')).toBe('credentials');
  });
});
