import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Core } from '../../app.ts';
import {
  finishRotation,
  isServiceRunning,
  type Resealed,
  resealCredentials,
  rotationGraceMs,
  sealingKeyIdsInUse,
  withRotationLock,
} from '../../features/connections/credentials/rotate-sealing-key.ts';
import { sealingKey } from '../../foundation/lib/seal.ts';
import { adminCommand, type Common } from './command.ts';
import { keyFileIn, readKeys, writeKeys } from './keys/key-file.ts';
import { printResult } from './print-result.ts';
import { withCore } from './with-core.ts';

export const rotateSecretKey = () =>
  adminCommand('rotate-secret-key', {
    about: 'Encrypt all credentials with a new key.',
    more:
      'The key that Crier generated (DATA_DIR/secret.key) is replaced, and a running Crier uses the new key immediately. If ' +
      'you set SECRET_KEY yourself, put the new key first and the old ones after it, restart Crier, then run this ' +
      'command. If it is interrupted, run it again.',
    example: '',
  }).action((options: Common) =>
    withCore(async (core) => {
      const rotate: (core: Core) => Promise<Rotated> = core.config.secretKeys.length > 0 ? toConfiguredKey : toNewKey;
      const { text, ...done } = await withRotationLock(core, 'exclusive', () => rotate(core));
      printResult(options, done, [...text, ...unreadableText(done.unreadable)]);
    }),
  );

interface Rotated extends Resealed {
  /** The id of the current key. */
  keyId: string;
  text: string[];
}

/** If it is interrupted at any point, the file holds every key that a stored record needs. */
async function toNewKey(core: Core): Promise<Rotated & { keysRemoved: number }> {
  const file = keyFileIn(core.config.dataDir);
  const made = randomBytes(32).toString('hex');
  const keys = [made, ...(await readKeys(file))];
  await writeKeys(file, keys);
  const { resealed } = await resealCredentials(core);
  if (await isServiceRunning(core)) {
    console.error(
      `Crier is running. Waiting ${rotationGraceMs / 1000} s for records that it is encrypting with the old key.`,
    );
    await sleep(rotationGraceMs);
  }
  return finishRotation(core, async (late, idsInUse) => {
    const kept = keys.filter((key) => key === made || idsInUse.includes(sealingKey(key).id));
    await writeKeys(file, kept);
    const total = resealed + late.resealed;
    const removed = keys.length - kept.length;
    const text = [
      `Credentials of ${connections(total)} are encrypted with a new key; ${oldKeys(removed)} removed from ${file}.`,
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
  const text = [`Credentials of ${connections(resealed)} are encrypted with the first key of SECRET_KEY.`];
  if (previous.length === 0) text.push('To change the key, put a new one and a comma before it, and restart Crier.');
  if (removableKeys.length > 0) {
    const positions = removableKeys.map(({ position }) => `number ${position}`).join(', ');
    text.push(`When every process uses this SECRET_KEY, you can remove from it: ${positions}.`);
  }
  return { keyId: current.id, resealed, unreadable, removableKeys, text };
}

const connections = (number: number) => (number === 1 ? '1 connection' : `${number} connections`);
const oldKeys = (number: number) => (number === 1 ? '1 old key is' : `${number} old keys are`);

const unreadableText = (number: number) =>
  number === 0
    ? []
    : [`Credentials of ${connections(number)} cannot be decrypted with any of the keys. Connect those accounts again.`];
