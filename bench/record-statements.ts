import type pg from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}

export type Recorder = (work: () => Promise<unknown>) => Promise<Statement[]>;

/** Records the statements that some work sends through the pool. The pool must not have opened a connection yet. */
export function statementRecorder(pool: pg.Pool): Recorder {
  let recording: Statement[] | null = null;
  pool.on('connect', (client) => {
    const query: (...call: unknown[]) => unknown = client.query.bind(client);
    const recorded = (...call: unknown[]) => {
      const [text, values] = call;
      if (typeof text === 'string' && Array.isArray(values)) recording?.push({ text, values });
      return query(...call);
    };
    Object.assign(client, { query: recorded });
  });
  return async (work) => {
    const statements: Statement[] = [];
    recording = statements;
    await work();
    recording = null;
    return statements;
  };
}
