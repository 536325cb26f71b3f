import { type Logger, pino } from 'pino';
import { secretWatch } from '../secrets/watch.ts';

export interface RecordedLog {
  readonly log: Logger;
  /** The log lines, oldest first. */
  readonly lines: Record<string, unknown>[];
}

export function recordedLog(): RecordedLog {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: watchedLog('info', (line) => void lines.push(JSON.parse(line))) };
}

/** Every line is searched for secrets. */
export function watchedLog(level = 'debug', write: (line: string) => void = () => {}): Logger {
  return pino(
    { level },
    {
      write(line) {
        secretWatch.output('a log line', line);
        write(line);
      },
    },
  );
}
