import { expect, test } from 'vitest';
import { isRestApi, resourceOf } from './metadata.ts';

const app = { publicUrl: 'https://crier.example' };

test.each([
  [undefined, 'https://crier.example/mcp'],
  ['', 'https://crier.example/mcp'],
  ['https://crier.example/mcp', 'https://crier.example/mcp'],
  ['https://crier.example/mcp/', 'https://crier.example/mcp'],
  ['https://crier.example', 'https://crier.example/'],
  ['https://crier.example/api/v1', 'https://crier.example/api/v1'],
  ['https://crier.example/other', null],
  ['https://other.example/mcp', null],
])('a token for the resource %j is one for %j', (asked, resource) => {
  expect(resourceOf(app, asked)).toBe(resource);
});

test('only the resource of the REST API is the REST API', () => {
  expect(isRestApi(app, 'https://crier.example/api/v1')).toBe(true);
  expect(isRestApi(app, 'https://crier.example/mcp')).toBe(false);
});
