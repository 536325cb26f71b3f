import { type Logger, pino } from 'pino';

export interface RecordedLog {
  readonly log: Logger;
  /** What was logged, oldest first. */
  readonly lines: Record<string, unknown>[];
}

export function recordedLog(): RecordedLog {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) }) };
}
