import type { Core } from '../app.ts';
import { plans } from '../config/plans.ts';
import { listConnectables } from '../features/connections/connect/connect.ts';
import { isLoopback } from '../foundation/lib/loopback.ts';
import { type Check, fail, ok, warn } from './checks.ts';

type ChecklistApp = Pick<Core, 'config' | 'platformAccess' | 'sandboxUrl'>;

/** The configuration checks for a Crier on the real networks. Reads only the configuration. */
export const liveChecklist = (app: ChecklistApp): Check[] => [
  publicUrl(app),
  applications(app),
  mail(app),
  storage(app),
  secretKey(app),
  plan(app),
];

function publicUrl({ config: { publicUrl: url } }: ChecklistApp): Check {
  const name = 'public address';
  const todo = 'Set PUBLIC_URL to the https address at which people and networks reach Crier.';
  if (url === null)
    return fail(name, 'PUBLIC_URL is not set, so consent pages of networks redirect to this machine.', todo);
  const { hostname, protocol } = new URL(url);
  if (hostname === 'localhost' || isLoopback(hostname))
    return fail(name, `${url} can only be reached from this machine.`, todo);
  if (protocol !== 'https:') return warn(name, `${url} is not https, which most networks reject.`, todo);
  return ok(name, url);
}

function applications({ platformAccess }: ChecklistApp): Check {
  const name = 'applications';
  const all = listConnectables({ platformAccess, sandboxUrl: null });
  const missing = all.filter(({ available }) => !available);
  const ready = all.filter(({ available }) => available).map(({ name }) => name);
  if (missing.length === 0) return ok(name, 'Every network can be connected.');
  const [first] = missing;
  return warn(
    name,
    `These networks cannot be connected: ${missing.map(({ name }) => name).join(', ')}. These can: ${ready.join(', ')}.`,
    `Register applications with the networks you need (docs/going-live.md), and set ${first!.platform.toUpperCase()}_CLIENT_ID, ${first!.platform.toUpperCase()}_CLIENT_SECRET and so on.`,
  );
}

function mail({ config: { mailServer } }: ChecklistApp): Check {
  if (mailServer) return ok('mail', `Mail is sent through ${mailServer.host}:${mailServer.port}.`);
  return warn(
    'mail',
    'MAIL_URL is not set: users get no mail about broken connections, and lost passwords need "admin reset-password".',
    'Set MAIL_URL to your mail server.',
  );
}

function storage({ config: { storage: kind, databaseUrl } }: ChecklistApp): Check {
  if (kind.kind === 's3') return ok('media storage', `The bucket ${kind.bucket}.`);
  if (databaseUrl === null) return ok('media storage', `The folder ${kind.folder}.`);
  return warn(
    'media storage',
    `Media is on the disk of this machine (${kind.folder}). Crier on another machine would not have it.`,
    'With more than one machine, set STORAGE_URL to a bucket, or to a folder that all of them share.',
  );
}

function secretKey({ config: { secretKeys, databaseUrl } }: ChecklistApp): Check {
  if (secretKeys.length > 0) return ok('sealing key', 'SECRET_KEY encrypts credentials.');
  if (databaseUrl === null) return ok('sealing key', 'DATA_DIR/secret.key encrypts credentials. Keep a copy of it.');
  return warn(
    'sealing key',
    'Credentials are encrypted with DATA_DIR/secret.key, which Crier on another machine does not have.',
    'With more than one machine, set SECRET_KEY to the content of that file on all of them.',
  );
}

function plan({ config: { defaultPlan } }: ChecklistApp): Check {
  const { monthlyPosts, connections } = plans[defaultPlan];
  const posts = monthlyPosts.limit === null ? 'any number of posts' : `${monthlyPosts.limit} posts a month`;
  const accounts = connections === null ? 'any number of connections' : `${connections} connections`;
  return ok('plan', `New accounts get ${defaultPlan}: ${posts}, ${accounts}. DEFAULT_PLAN changes it.`);
}
