/** The result of a check: fine, worth a look, or broken. `todo` says what the operator can do. */
export interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  detail: string;
  todo?: string;
}

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail });
export const warn = (name: string, detail: string, todo: string): Check => ({ name, status: 'warn', detail, todo });
export const fail = (name: string, detail: string, todo: string): Check => ({ name, status: 'fail', detail, todo });

/** Node's errors for a certificate from an unknown authority. */
const unknownAuthority = /self[- ]signed certificate|unable to (verify the first|get( local)? issuer) certificate/i;

/**
 * What to do about an error. Certificates from an unknown authority have one fixed remedy; other errors get `usual`.
 */
export const todoOf = (message: string, usual: string) =>
  unknownAuthority.test(message)
    ? 'The server responds, but this machine does not trust the authority that signed its certificate. If it is your own ' +
      'authority, set NODE_EXTRA_CA_CERTS to the file with its certificate in the environment that starts Crier; .env is read too late.'
    : usual;
