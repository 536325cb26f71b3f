/**
 * A value of `form` that begins with `@` is the name of a file.
 * @typedef {{ method: string, url: string, headers: Record<string, string>, json?: unknown, form?: Record<string, string> }} SampleRequest
 */

/**
 * Code for one request in the languages of the reference. Each is complete and needs only what its language comes with.
 * @param {SampleRequest} request
 * @returns {{ lang: string, label: string, source: string }[]}
 */
export function samplesOf(request) {
  const forForms = [
    { lang: 'shell', label: 'curl', source: curl(request) },
    { lang: 'typescript', label: 'TypeScript', source: typescript(request) },
  ];
  if (request.form) return forForms;
  return [
    ...forForms,
    { lang: 'python', label: 'Python', source: python(request) },
    { lang: 'go', label: 'Go', source: go(request) },
    { lang: 'php', label: 'PHP', source: php(request) },
  ];
}

const headersOf = ({ headers, json }) =>
  Object.entries({ ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) });

function curl(request) {
  const { method, url, json, form = {} } = request;
  const lines = [
    `curl -s -X ${method} ${shellQuoted(url)}`,
    ...headersOf(request).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : [`-d ${shellQuoted(JSON.stringify(json, null, 2))}`]),
    ...Object.entries(form).map(([name, value]) => `-F ${shellQuoted(`${name}=${value}`)}`),
  ];
  return lines.join(' \\\n  ');
}

const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function typescript(request) {
  const { method, url, json, form } = request;
  const before = form ? `${typescriptForm(form)}\n` : '';
  const body = form
    ? 'form'
    : json === undefined
      ? null
      : `JSON.stringify(${indented(JSON.stringify(json, null, 2), 2)})`;
  return `${before}const response = await fetch(${JSON.stringify(url)}, {
  method: ${JSON.stringify(method)},
  headers: ${JSON.stringify(Object.fromEntries(headersOf(request)))},${body ? `\n  body: ${body},` : ''}
});
console.log(await response.text());`;
}

const typescriptForm = (form) =>
  [
    "import { openAsBlob } from 'node:fs';",
    '',
    'const form = new FormData();',
    ...Object.entries(form).map(([name, value]) =>
      value.startsWith('@')
        ? `form.set(${JSON.stringify(name)}, await openAsBlob(${JSON.stringify(value.slice(1))}), ${JSON.stringify(value.slice(1))});`
        : `form.set(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    ),
  ].join('\n');

function python(request) {
  const { method, url, json } = request;
  const data = json === undefined ? '' : `\n    data=json.dumps(${indented(pythonLiteral(json), 4)}).encode(),`;
  return `import json
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    method="${method}",
    headers=${JSON.stringify(Object.fromEntries(headersOf(request)))},${data}
)
with urllib.request.urlopen(request) as response:
    print(response.read().decode())`;
}

/** JSON is Python except for three words, which strings may contain. */
function pythonLiteral(value, depth = 0) {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const items = Object.entries(value).map(
    ([name, item]) => `${isList ? '' : `${JSON.stringify(name)}: `}${pythonLiteral(item, depth + 1)}`,
  );
  const [open, close] = isList ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  const pad = '    '.repeat(depth);
  return `${open}\n${items.map((item) => `${pad}    ${item},\n`).join('')}${pad}${close}`;
}

function go(request) {
  const { method, url, json } = request;
  const body = json === undefined ? 'nil' : `strings.NewReader(${goQuoted(JSON.stringify(json, null, 2))})`;
  const imports = ['fmt', 'io', 'net/http', ...(json === undefined ? [] : ['strings'])];
  return `package main

import (
${imports.map((name) => `\t"${name}"`).join('\n')}
)

func main() {
	request, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${body})
	if err != nil {
		panic(err)
	}
${headersOf(request)
  .map(([name, value]) => `\trequest.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})\n`)
  .join('')}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	fmt.Println(string(text))
}`;
}

/** A raw string of Go cannot contain its own quote. */
const goQuoted = (text) => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);

function php(request) {
  const { method, url, json } = request;
  const lines = headersOf(request).map(([name, value]) => `        ${phpQuoted(`${name}: ${value}`)},\n`);
  const content = json === undefined ? '' : `    'content' => ${phpQuoted(JSON.stringify(json, null, 2))},\n`;
  return `<?php
$context = stream_context_create(['http' => [
    'method' => '${method}',
    'header' => [
${lines.join('')}    ],
${content}    'ignore_errors' => true,
]]);
echo file_get_contents(${phpQuoted(url)}, false, $context), "\\n";`;
}

const phpQuoted = (text) => `'${text.replace(/[\\']/g, '\\$&')}'`;

const indented = (text, spaces) => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
