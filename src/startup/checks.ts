/** One thing that was looked at: as it should be, worth a look, or broken. `todo` says what the operator can do. */
export interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  detail: string;
  todo?: string;
}

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail });
export const warn = (name: string, detail: string, todo: string): Check => ({ name, status: 'warn', detail, todo });
export const fail = (name: string, detail: string, todo: string): Check => ({ name, status: 'fail', detail, todo });
