import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { wrongUse } from './failures.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The login that `crier login` stores. */
export interface StoredLogin {
  url: string;
  apiKey: string;
}

export interface Access {
  /** The origin and path of the service, without `/api/v1`. */
  url: string;
  apiKey: string | null;
}

const defaultUrl = 'http://localhost:3000';

/** Finds the service and the key: the environment first, then the stored login. */
export async function findAccess(environment: Environment, asked?: string): Promise<Access> {
  const stored = await readLogin(environment);
  const url = serviceUrl(asked || environment.CRIER_URL || stored?.url || defaultUrl);
  // A stored key is never sent to any other service than its own.
  const storedKey = stored && serviceUrl(stored.url) === url ? stored.apiKey : null;
  return { url, apiKey: environment.CRIER_KEY || storedKey };
}

/** Accepts the address with or without `/api/v1` and a trailing slash. */
export function serviceUrl(text: string): string {
  const url = URL.parse(/^https?:/i.test(text) ? text : `https://${text}`);
  if (!url) throw wrongUse(`"${text}" is not a URL.`, 'Write for example https://crier.example.com');
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}`;
}

export function configFolder({ XDG_CONFIG_HOME, APPDATA }: Environment): string {
  const base = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(homedir(), '.config');
  return join(base, 'crier');
}

const loginFile = (environment: Environment) => join(configFolder(environment), 'config.json');

async function readLogin(environment: Environment): Promise<StoredLogin | null> {
  const file = loginFile(environment);
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const { url, apiKey } = JSON.parse(text);
    if (typeof url === 'string' && typeof apiKey === 'string') return { url, apiKey };
  } catch {}
  throw wrongUse(`${file} cannot be read.`, 'Create it again with: crier login');
}

/** The file is readable only by its owner from the moment it exists. */
export async function storeLogin(environment: Environment, login: StoredLogin): Promise<string> {
  const [folder, file] = [configFolder(environment), loginFile(environment)];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await chmod(draft, 0o600);
  await rename(draft, file);
  return file;
}

export const removeLogin = (environment: Environment) => rm(loginFile(environment), { force: true });
