import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type DataFolder, dataFolder, runProgram } from './support/crier-process.ts';
import { type TestService, testService } from './support/service.ts';

// Starting a process takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let service: TestService;
let folder: DataFolder;
beforeAll(async () => {
  [service, folder] = await Promise.all([testService(), dataFolder()]);
});
afterAll(async () => {
  await service.close();
  await folder.remove();
});

const admin = (...args: string[]) =>
  runProgram(['src/admin/main.ts', ...args], { DATA_DIR: folder.dataDir, DATABASE_URL: service.database.url });

test('an unknown command is reported in a sentence, with exit code 1', async () => {
  const { code, stdout, stderr } = await admin('create-usr');
  expect(code).toBe(1);
  expect(stderr).toMatch(/unknown command 'create-usr'\n\(Did you mean create-user\?\)/);
  expect(stderr).not.toContain('    at ');
  expect(stdout).toBe('');
});

test('create-user creates an account and a key that works at once', async () => {
  const { code, stdout } = await admin(
    ...['create-user', '--email', 'Ada@Example.com', '--password', 'correct horse', '--plan', 'agency', '--json'],
  );
  expect(code).toBe(0);
  const made = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  expect(made).toEqual({ userId: expect.any(String), email: 'ada@example.com', apiKey: expect.any(String) });
  const url = `/api/v1/get-post/${'0'.repeat(24)}`;
  const answer = await service.server.inject({ url, headers: { 'x-service-key': made.apiKey } });
  expect(answer.statusCode).toBe(404);
});
