import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/support/database/temporary-server.ts';
import { sealingKey } from '../../../foundation/lib/seal.ts';
import { restoredKeys } from './restored-keys.ts';

const [theirs, older, ours] = ['a1', 'b2', 'c3'].map((byte) => byte.repeat(32)) as [string, string, string];
const idOf = (key: string) => sealingKey(key).id;

let folder: TemporaryFolder;
let file: string;
let rotated: string;
let absent: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  [file, rotated, absent] = ['secret.key', 'rotated.key', 'absent.key'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(file, `${theirs}\n`);
  await writeFile(rotated, `${theirs}\n${older}\n`);
});
afterAll(() => folder.remove());

const keysOf = (secretKeys: string[], keyIds: string[], from: string) =>
  restoredKeys({ secretKeys, dataDir: join(folder.path, 'data') }, { keyIds }, from);
const refusal = (secretKeys: string[], keyIds: string[], from: string) =>
  keysOf(secretKeys, keyIds, from).then(
    () => null,
    ({ message }: Error) => message,
  );

describe('without SECRET_KEY', () => {
  test('the key of the backup is taken', async () => {
    expect(await keysOf([], [idOf(theirs)], file)).toEqual([theirs]);
  });

  test('a key that is nowhere is asked for', async () => {
    expect(await refusal([], [idOf(theirs)], absent)).toBe(
      `The credentials in this backup are encrypted with the key ${idOf(theirs)}, which is not here. ` +
        'Pass the file written by backup --key-to as --key, or set SECRET_KEY to the key used when the backup was taken.',
    );
  });
});

describe('with SECRET_KEY', () => {
  test('that opens the credentials, its keys are taken', async () => {
    expect(await keysOf([ours, theirs], [idOf(theirs)], absent)).toEqual([ours, theirs]);
    expect(await keysOf([ours], [], file)).toEqual([ours]);
  });

  test('that is another key, the file whose content it has to be is named', async () => {
    expect(await refusal([ours], [idOf(theirs)], file)).toBe(
      `The credentials in this backup are encrypted with the key ${idOf(theirs)}. This Crier instance uses SECRET_KEY, which has ` +
        `the key ${idOf(ours)} instead, and with SECRET_KEY it does not read a key file. Set SECRET_KEY to the content of ${file}, ` +
        'for all processes of this Crier instance, and restore again.',
    );
  });

  test('a file with several keys needs commas between them', async () => {
    const message = await refusal([ours], [idOf(theirs), idOf(older)], rotated);
    expect(message).toContain(
      `Set SECRET_KEY to the content of ${rotated}, with commas between its keys, for all processes`,
    );
  });

  test('no file is named that is not there or has other keys', async () => {
    const noKeys = join(folder.path, 'notes.txt');
    await writeFile(noKeys, 'The key is in the safe.');
    for (const [from, id] of [
      [absent, idOf(theirs)],
      [noKeys, idOf(theirs)],
      [file, idOf(older)],
    ] as const) {
      const message = await refusal([ours], [id], from);
      expect(message).toContain('Set SECRET_KEY to the key used when the backup was taken, for all processes');
      expect(message).not.toContain(from);
    }
  });

  test('the message holds no key', async () => {
    expect(await refusal([ours], [idOf(theirs)], file)).not.toMatch(/[0-9a-f]{64}/);
  });
});
