import pino, { type Logger } from 'pino';

/**
 * Logs JSON lines to standard output (1) or standard error (2). We log no keys or credentials; the redacted paths are a second
 * line of defence.
 */
export function openLog(level: string, output: 1 | 2 = 1): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['req.headers', 'headers', '*.credentials', '*.password', '*.accessToken', '*.apiKey'],
    },
    pino.destination({ fd: output, sync: true }),
  );
}
