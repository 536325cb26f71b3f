import pino, { type Logger } from 'pino';

/** JSON lines, on standard output (1) or standard error (2). Keys and credentials never get in: they are not logged, and these paths are cut anyway. */
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
