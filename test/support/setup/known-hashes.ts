import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

// Hashing a password takes 100 ms of CPU time by design, and tests sign in hundreds of times with the same password and
// salt. So a worker computes each hash once. The hashes are real, so other processes can verify them.

const { scrypt } = crypto;
const known = new Map<string, Buffer>();
let asked = 0;

/** How many times this worker was asked to hash a password, to store or to verify it. */
export const hashedPasswords = () => asked;

type Done = (error: Error | null, hash: Buffer) => void;

function knownScrypt(password: string, salt: string, length: number, options: ScryptOptions, done: Done) {
  asked += 1;
  const key = JSON.stringify([password, salt, length, options]);
  const hash = known.get(key);
  if (hash) return void setImmediate(done, null, hash);
  scrypt(password, salt, length, options, (error, computed) => {
    if (!error) known.set(key, computed);
    done(error, computed);
  });
}

Object.assign(crypto, { scrypt: knownScrypt });
syncBuiltinESMExports();
