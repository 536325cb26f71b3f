import pino, { type Logger } from 'pino';

/** JSON lines on standard output. Keys and credentials never get in: they are not logged, and these paths are cut anyway. */
export function openLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers', 'headers', '*.credentials', '*.password', '*.accessToken', '*.apiKey'],
  });
}
