import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shot } from './shots.ts';

const folder = 'fuzz-reports';

/** The request as a curl command. A body that is long or not plain text goes into a file. */
export function asCurl(url: string, shot: Shot, seed: number): string {
  const headers = shot.headers.map(([name, value]) => `-H ${quoted(`${name}: ${value.slice(0, 9000)}`)}`);
  const words = ['curl -i --path-as-is -X', shot.method, quoted(url + shot.target), ...headers, ...bodyOf(shot, seed)];
  return `${words.join(' ')}${shot.manner === 'whole' ? '' : `  # sent ${shot.manner}`}`;
}

function bodyOf({ body, id }: Shot, seed: number): string[] {
  if (!body) return [];
  if (body.length < 1000 && /^[\x20-\x7e]*$/.test(body.toString('latin1')))
    return ['--data-binary', quoted(body.toString())];
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `seed-${seed}-${id}.body`);
  writeFileSync(file, body);
  return ['--data-binary', `@${file}`];
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
