import { readFileSync } from 'node:fs';
import type { HttpResponse } from '../http/http-response.ts';

/** The assets are small enough to stay in memory. */
export const assets: Record<string, HttpResponse> = {
  'style.css': asset('style.css', 'text/css; charset=utf-8'),
  'live.js': asset('live.js', 'text/javascript; charset=utf-8'),
  'icon.svg': asset('icon.svg', 'image/svg+xml'),
};

function asset(name: string, type: string): HttpResponse {
  const body = readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
  return {
    status: 200,
    headers: { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' },
    body,
  };
}
