import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { writePrivateFile } from '../../../foundation/system/private-file.ts';
import { parseJson } from '../../../platforms/kit/index.ts';
import { AdminError } from '../error-message.ts';

const Verdict = z.object({
  check: z.string(),
  outcome: z.enum(['proven', 'failed', 'not offered']),
  detail: z.string(),
});
/** The result of a check. */
export type Verdict = z.infer<typeof Verdict>;

const Message = z.object({ headers: z.record(z.string(), z.string()), body: z.json() });

const Exchange = z.object({
  check: z.string(),
  method: z.string(),
  /** The network's own URL, even if the sandbox simulated the network. */
  url: z.string(),
  request: Message,
  /** Null: there was no response. */
  response: Message.extend({ status: z.number() }).nullable(),
  /** The network responded, but the response was withheld from the engine. */
  isLost: z.boolean(),
});
/** A request to the network and its response, without secrets. */
export type Exchange = z.infer<typeof Exchange>;

const Transcript = z.object({
  network: z.string(),
  mode: z.enum(['live', 'sandbox']),
  version: z.string(),
  at: z.string(),
  verdicts: z.array(Verdict),
  exchanges: z.array(Exchange),
});
/** All exchanges of a proof. */
export type Transcript = z.infer<typeof Transcript>;

/** Readable only by the operator: it names accounts and posts. */
export const writeTranscript = (file: string, transcript: Transcript) =>
  writePrivateFile(file, (path) => writeFile(path, `${JSON.stringify(transcript, null, 2)}\n`));

export async function readTranscript(file: string): Promise<Transcript> {
  const text = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new AdminError(`The transcript ${file} cannot be read (${code}). Check its name.`);
  });
  const parsed = Transcript.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new AdminError(`${file} is not a proof transcript. Use a file written by --transcript.`);
}
