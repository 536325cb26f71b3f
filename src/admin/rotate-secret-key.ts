import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Core } from '../app.ts';
import {
  finishRotation,
  isServiceRunning,
  type Resealed,
  resealCredentials,
  rotationGraceMs,
  sealingKeyIdsInUse,
  withRotationLock,
} from '../connections/rotate-sealing-key.ts';
import { sealingKey } from '../lib/seal.ts';
import { adminCommand, type Common } from './command.ts';
import { keyFileIn, readKeys, writeKeys } from './key-file.ts';
import { printResult } from './print-result.ts';
import { withCore } from './with-core.ts';

export const rotateSecretKey = () =>
  adminCommand('rotate-secret-key', {
    about: 'Seal all credentials with a new key.',
    more:
      'The key that Crier made for itself (DATA_DIR/secret.key) is replaced, and a running Crier follows by itself. With ' +
      'SECRET_KEY: put the new key first and the old ones after it, start Crier again with that, then run this. It may ' +
      'be interrupted at any time: run it again.',
    example: '',
  }).action((options: Common) =>
    withCore(async (core) => {
      const rotate: (core: Core) => Promise<Rotated> = core.config.secretKeys.length > 0 ? toConfiguredKey : toNewKey;
      const { text, ...done } = await withRotationLock(core, 'exclusive', () => rotate(core));
      printResult(options, done, [...text, ...unreadableText(done.unreadable)]);
    }),
  );

interface Rotated extends Resealed {
  /** Of the key that seals now. */
  keyId: string;
  text: string[];
}

/** Whenever this ends, the file holds every key that a stored record needs. */
async function toNewKey(core: Core): Promise<Rotated & { keysRemoved: number }> {
  const file = keyFileIn(core.config.dataDir);
  const made = randomBytes(32).toString('hex');
  const keys = [made, ...(await readKeys(file))];
  await writeKeys(file, keys);
  const { resealed } = await resealCredentials(core);
  if (await isServiceRunning(core)) {
    console.error(
      `Crier is running: waiting ${rotationGraceMs / 1000} s for what it may just be sealing with the old key.`,
    );
    await sleep(rotationGraceMs);
  }
  return finishRotation(core, async (late, idsInUse) => {
    const kept = keys.filter((key) => key === made || idsInUse.includes(sealingKey(key).id));
    await writeKeys(file, kept);
    const total = resealed + late.resealed;
    const removed = keys.length - kept.length;
    const text = [
      `Credentials of ${connections(total)} are sealed with a new key; ${oldKeys(removed)} removed from ${file}.`,
    ];
    return { keyId: sealingKey(made).id, resealed: total, unreadable: late.unreadable, keysRemoved: removed, text };
  });
}

async function toConfiguredKey(core: Core): Promise<Rotated & { removableKeys: object[] }> {
  const { resealed, unreadable } = await resealCredentials(core);
  const idsInUse = await sealingKeyIdsInUse(core);
  const [current, ...previous] = [core.sealingKeys.current, ...core.sealingKeys.previous];
  const unused = previous.filter(({ id }) => id !== current.id && !idsInUse.includes(id));
  const removableKeys = unused.map(({ id }) => ({
    position: previous.findIndex((key) => key.id === id) + 2,
    keyId: id,
  }));
  const text = [`Credentials of ${connections(resealed)} are sealed with the first key of SECRET_KEY.`];
  if (previous.length === 0)
    text.push('To change the key, put a new one before it, with a comma, and start Crier again.');
  if (removableKeys.length > 0) {
    const positions = removableKeys.map(({ position }) => `number ${position}`).join(', ');
    text.push(`Once every process runs with this SECRET_KEY, remove from it: ${positions}.`);
  }
  return { keyId: current.id, resealed, unreadable, removableKeys, text };
}

const connections = (number: number) => (number === 1 ? '1 connection' : `${number} connections`);
const oldKeys = (number: number) => (number === 1 ? '1 old key is' : `${number} old keys are`);

const unreadableText = (number: number) =>
  number === 0
    ? []
    : [
        `Those of ${connections(number)} cannot be opened with any of the keys: those accounts must be connected again.`,
      ];
