import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { addressAtMark, nameMark } from './local-names.ts';

const local = { publicUrl: 'http://localhost:3000' };
const asked = (host: string, url = '/') => ({ host, url }) as FastifyRequest;
const callback = (state: string) => `/api/v1/connect/callback?code=1&state=${state}`;

describe('a consent', () => {
  test.for(['127.0.0.1:3000', '[::1]:3000'])('that began at %s leads back there', (host) => {
    const state = `random${nameMark(local, asked(host))}`;
    const url = callback(state);
    expect(addressAtMark(local, asked('localhost:3000', url), state)).toBe(`http://${host}${url}`);
    expect(addressAtMark(local, asked(host, url), state)).toBeNull();
  });

  test('that began at the address that networks know stays there', () => {
    expect(nameMark(local, asked('localhost:3000'))).toBe('');
    expect(addressAtMark(local, asked('localhost:3000', callback('random')), 'random')).toBeNull();
  });

  test.for(['127.0.0.1:4000', 'evil.example:3000', '127.0.0.1'])('is not led to %s, which is no name of it', (host) => {
    expect(nameMark(local, asked(host))).toBe('');
  });

  test.for(['random.7', 'random.evil.example', 'random.0', 'random.'])(
    'with the invented state %s stays where it is',
    (state) => {
      expect(addressAtMark(local, asked('localhost:3000', callback(state)), state)).toBeNull();
    },
  );

  test('of a service with a public name never leads to the machine of its visitor', () => {
    const hosted = { publicUrl: 'https://crier.example' };
    expect(nameMark(hosted, asked('127.0.0.1'))).toBe('');
    expect(addressAtMark(hosted, asked('crier.example', callback('random.1')), 'random.1')).toBeNull();
  });
});
