import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/**
 * Gives the runner of GitHub a command. What others wrote cannot add a second one.
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
 * Shows a text in the log as it is. The runner reads commands in every line of it, unless they are stopped.
 * @param {string} text
 */
export function show(text) {
  const token = randomUUID();
  console.log(`::stop-commands::${token}\n${text}\n::${token}::`);
}

/**
 * Writes the outputs of the step. No value can contain the line that ends it, because the line is random.
 * @param {Record<string, string>} outputs
 */
export function writeOutputs(outputs) {
  const end = randomUUID();
  const lines = Object.entries(outputs).map(([name, value]) => `${name}<<${end}\n${value}\n${end}\n`);
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, lines.join(''));
}
