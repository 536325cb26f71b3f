import { isatty } from 'node:tty';
import pino, { type DestinationStream, type Logger } from 'pino';

/**
 * Logs to standard output (1) or standard error (2): readable lines on a terminal, otherwise JSON lines. We log no keys
 * or credentials; the redacted paths are a second line of defence.
 */
export async function openLog(level: string, output = 1, isTerminal = isatty(output)): Promise<Logger> {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['req.headers', 'headers', '*.credentials', '*.password', '*.accessToken', '*.apiKey'],
    },
    isTerminal ? await linesForPeople(output) : pino.destination({ fd: output, sync: true }),
  );
}

/** Loaded only for a terminal, so that a production service does not hold it in memory. */
async function linesForPeople(output: number): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ destination: output, sync: true, translateTime: 'SYS:HH:MM:ss.l' });
}
