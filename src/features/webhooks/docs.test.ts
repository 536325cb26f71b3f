import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedHeaders } from './delivery/sign.ts';

/** Runs the examples of docs/webhooks.md in every language installed on this machine. */

const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
const secret = '0123456789abcdef'.repeat(4);
const body = JSON.stringify({ version: '1', event: 'post.published', data: { text: 'Grüße “👋”', permalink: null } });
/** Far beyond the tolerance, because compiling an example also takes time. */
const hourSeconds = 3600;

interface Delivery {
  secret: string;
  headers: Record<string, string>;
  body: string;
}

/** The runner reads deliveries as JSON and prints whether each passes `verify` and `verifyBody`. */
interface Language {
  name: string;
  fence: string;
  file: string;
  runner: { file: string; text: string };
  command: [string, ...string[]];
  version: string;
}

const languages: Language[] = [
  {
    name: 'Node',
    fence: 'js',
    file: 'verify.mjs',
    runner: {
      file: 'run.mjs',
      text: `import { readFileSync } from 'node:fs';
import { verify, verifyBody } from './verify.mjs';
const both = ({ secret, headers, body }) => [verify, verifyBody].map((each) => each(secret, headers, Buffer.from(body)));
console.log(JSON.stringify(JSON.parse(readFileSync(0)).map(both)));`,
    },
    command: [process.execPath, 'run.mjs'],
    version: '--version',
  },
  {
    name: 'Python',
    fence: 'python',
    file: 'verify.py',
    runner: {
      file: 'run.py',
      text: `import json, sys
from verify import verify, verify_body
def both(d): return [each(d["secret"], d["headers"], d["body"].encode()) for each in (verify, verify_body)]
print(json.dumps([both(d) for d in json.load(sys.stdin.buffer)]))`,
    },
    command: ['python3', 'run.py'],
    version: '--version',
  },
  {
    name: 'Go',
    fence: 'go',
    file: 'verify.go',
    runner: {
      file: 'run.go',
      text: `package main
import ("encoding/json"; "net/http"; "os")
type delivery struct { Secret string; Headers map[string]string; Body string }
func main() {
	var deliveries []delivery
	json.NewDecoder(os.Stdin).Decode(&deliveries)
	results := [][]bool{}
	for _, d := range deliveries {
		headers := http.Header{}
		for name, value := range d.Headers { headers.Set(name, value) }
		results = append(results, []bool{Verify(d.Secret, headers, []byte(d.Body)), VerifyBody(d.Secret, headers, []byte(d.Body))})
	}
	json.NewEncoder(os.Stdout).Encode(results)
}`,
    },
    command: ['go', 'run', 'verify.go', 'run.go'],
    version: 'version',
  },
  {
    name: 'PHP',
    fence: 'php',
    file: 'verify.php',
    runner: {
      file: 'run.php',
      text: `<?php
require 'verify.php';
$both = fn($d) => array_map(fn($each) => $each($d['secret'], $d['headers'], $d['body']), ['verify', 'verify_body']);
echo json_encode(array_map($both, json_decode(file_get_contents('php://stdin'), true)));`,
    },
    command: ['php', 'run.php'],
    version: '--version',
  },
];
const installed = languages.filter(({ command, version }) => spawnSync(command[0], [version]).status === 0);

function delivery({ ageSeconds = 0, ...change }: { ageSeconds?: number } & Partial<Delivery> = {}): Delivery {
  const now = new Date(Date.now() - ageSeconds * 1000);
  const headers = signedHeaders({ id: 'a'.repeat(24), event: 'post.published', body, secret, now });
  return { secret, headers, body, ...change };
}

const without = (name: string) => ({ ...delivery().headers, [name]: '' });

test('the page has an example for each language', () => {
  for (const { fence } of languages) expect(page.split(`\`\`\`${fence}\n`)).toHaveLength(2);
});

describe.each(installed)('$name', ({ fence, file, runner, command: [program, ...args] }) => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'crier-example-'));
    const example = page.split(`\`\`\`${fence}\n`)[1]!.split('\n```')[0]!;
    writeFileSync(join(folder, file), `${example}\n`);
    writeFileSync(join(folder, runner.file), runner.text);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('accepts only what Crier has signed', { timeout: 120_000 }, () => {
    const { headers } = delivery();
    const cases: [what: string, delivery: Delivery, verify: boolean, verifyBody: boolean][] = [
      ['as it was sent', delivery(), true, true],
      ['one signature of several', delivery({ headers: several(headers) }), true, true],
      ['another body', delivery({ body: `${body} ` }), false, false],
      ['another secret', delivery({ secret: secret.toUpperCase() }), false, false],
      ['another id', delivery({ headers: { ...headers, 'webhook-id': 'b'.repeat(24) } }), false, true],
      ['too old', delivery({ ageSeconds: hourSeconds }), false, true],
      ['from the future', delivery({ ageSeconds: -hourSeconds }), false, true],
      ['no time', delivery({ headers: without('webhook-timestamp') }), false, true],
      ['no signature', delivery({ headers: without('webhook-signature') }), false, true],
      ['no signature of the body', delivery({ headers: without('x-service-signature') }), true, false],
      ['no headers', delivery({ headers: {} }), false, false],
    ];
    const input = JSON.stringify(cases.map(([, each]) => each));
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, input, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    const results: [boolean, boolean][] = JSON.parse(stdout);
    expect(cases.map(([what], index) => [what, ...results[index]!])).toEqual(
      cases.map(([what, , verify, verifyBody]) => [what, verify, verifyBody]),
    );
  });
});

const several = (headers: Record<string, string>) => ({
  ...headers,
  'webhook-signature': `v1,${'A'.repeat(43)}= ${headers['webhook-signature']} v2,other`,
});
