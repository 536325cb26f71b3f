import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Problem } from '../../../foundation/errors/index.ts';

/**
 * Rejects a password that an attacker would try first: one of 49,000 known from breaches, the service's name, the
 * user's own address, or a run of characters. Ignores case and up to four digits and punctuation marks at the end.
 */
export async function requireStrongPassword(password: string, email: string) {
  const guess = password.toLowerCase();
  const guesses = [guess, guess.replace(/[^\p{L}]{1,4}$/u, '')];
  const own = ['crier', email, email.slice(0, email.indexOf('@'))];
  if (guesses.some((one) => own.includes(one))) {
    throw weak('It must not be your email address, its first part, or the name of this service.');
  }
  if (isRun(guess)) throw weak('It repeats a pattern, or counts up or down.');
  const known = await commonPasswords();
  if (guesses.some((one) => known.includes(JSON.stringify(one))))
    throw weak('It is on a list of common passwords, possibly with digits added.');
}

const weak = (reason: string) => new Problem('weak_password', { message: reason });

/** `aaaaaaaa`, `abcabcabc`, `23456789` or `hgfedcba`. */
function isRun(text: string): boolean {
  if (/^(.{1,4})\1+$/su.test(text)) return true;
  const codes = [...text].map((character) => character.codePointAt(0)!);
  return [1, -1].some((step) => codes.every((code, at) => at === 0 || code - codes[at - 1]! === step));
}

const require = createRequire(import.meta.url);
let list: Promise<string> | undefined;

/**
 * The JSON text of a list of lower-case strings. Not parsed: a search in the text takes 0.3 ms and needs 0.5 MB, a
 * Set of the strings 1.5 MB. Loaded when the first password is chosen.
 */
function commonPasswords(): Promise<string> {
  list ??= readFile(require.resolve('@zxcvbn-ts/language-common/src/passwords.json'), 'latin1');
  return list;
}
