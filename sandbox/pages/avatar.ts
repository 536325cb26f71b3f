import type { HttpResponse } from '../http-response.ts';
import { escapeHtml } from './escape.ts';

/** A coloured square with the first letter of the name, so that accounts can be told apart. */
export function avatarImage(name: string): HttpResponse {
  const [letter = '?'] = name.toUpperCase();
  let hue = 0;
  for (const character of name) hue = (hue * 31 + (character.codePointAt(0) ?? 0) * 137) % 360;
  const body = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="hsl(${hue} 50% 40%)"/><text x="48" y="66" font-family="system-ui, sans-serif" font-size="52" font-weight="600" fill="#fff" text-anchor="middle">${escapeHtml(letter)}</text></svg>`;
  return {
    status: 200,
    headers: {
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'max-age=3600',
    },
    body,
  };
}
