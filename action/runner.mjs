import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/**
 * Sends a command to the GitHub runner. Text from others cannot inject a second command.
 * @param {string} name
 * @param {string} text
 * @param {string} [title]
 */
export function command(name, text, title) {
  const heading = title ? ` title=${escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}` : '';
  console.log(`::${name}${heading}::${escaped(text)}`);
}

const escaped = (text) => String(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/**
 * Logs a text verbatim. The runner parses commands in every line of it, unless they are stopped.
 * @param {string} text
 */
export function show(text) {
  const token = randomUUID();
  console.log(`::stop-commands::${token}\n${text}\n::${token}::`);
}

/**
 * Writes the outputs of the step. The delimiter is random, so no value can contain it.
 * @param {Record<string, string>} outputs
 */
export function writeOutputs(outputs) {
  const end = randomUUID();
  const lines = Object.entries(outputs).map(([name, value]) => `${name}<<${end}\n${value}\n${end}\n`);
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, lines.join(''));
}
