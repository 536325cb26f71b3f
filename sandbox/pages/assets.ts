import { readFileSync } from 'node:fs';
import type { Answer } from '../answer.ts';

/** Small enough to be kept in memory. */
export const assets: Record<string, Answer> = {
  'style.css': asset('style.css', 'text/css; charset=utf-8'),
  'live.js': asset('live.js', 'text/javascript; charset=utf-8'),
  'icon.svg': asset('icon.svg', 'image/svg+xml'),
};

function asset(name: string, type: string): Answer {
  const body = readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
  return {
    status: 200,
    headers: { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' },
    body,
  };
}
