import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import type { MailAddress, MailServer } from '../foundation/lib/mail-url.ts';
import type { StorageConfig } from '../foundation/storage/storage.ts';
import { editDistance, nearestName } from '../foundation/text/nearest-name.ts';
import { connectables } from '../platforms/index.ts';
import { planKeys } from './plans.ts';
import { type Retention, retentionOf, retentionVariables } from './retention.ts';
import { storage } from './storage.ts';
import {
  database,
  mailSender,
  mailServer,
  networks,
  oneOf,
  origins,
  places,
  port,
  proxies,
  type Role,
  rateFactor,
  roles,
  seconds,
  secretKeys,
  share,
  url,
} from './values.ts';

/** Every variable that Crier reads. `.env.example` is generated from this table, in the same order. */
const variables = {
  PORT: { schema: port().default(3000), about: 'Port of the API. 0 picks a free port.', example: '3000' },
  HOST: { schema: z.string().default('127.0.0.1'), about: 'Address to listen on.', example: '127.0.0.1' },
  PUBLIC_URL: {
    schema: url().optional(),
    about:
      'URL where users and networks reach Crier, used in links, OAuth redirects and media URLs. Default: localhost and PORT, ' +
      'or HOST if other machines can reach that address.',
    example: 'https://crier.example.com',
  },
  TRUST_PROXY: {
    schema: proxies(),
    about:
      'Reverse proxies in front of Crier: IP addresses and CIDR ranges, separated by commas. Only requests from these addresses can set the client address (X-Forwarded-For), which Crier uses for rate limits and in its log, so a range must contain only proxies. Default: none.',
    example: '127.0.0.1,10.0.0.1',
  },
  ALLOW_INSECURE: {
    schema: oneOf(['0', '1'], '0'),
    about:
      '1 lets Crier listen on an address that other machines can reach, even if PUBLIC_URL is not https and TRUST_PROXY is not set. Passwords and API keys are then sent unencrypted.',
    example: '0',
  },
  METRICS_TOKEN: {
    schema: z.string().min(16, 'is too short: generate one with openssl rand -hex 32').optional(),
    about:
      'Token for /metrics and the details of /readyz, sent as "Authorization: Bearer <token>". Default: no token; with NETWORKS=live, only this machine has access.',
    example: '',
  },
  METRICS_PORT: {
    schema: port().optional(),
    about:
      'Port on which a process without the api role serves /metrics, /healthz and /readyz. Default: none. ' +
      'With the api role, they are on PORT.',
    example: '3001',
  },
  STOP_NOTICE_SECONDS: {
    schema: seconds(10).default(0),
    about:
      'How long a stopping process keeps accepting requests while /readyz returns 503, so that a load balancer can ' +
      'notice. In seconds, at most 10.',
    example: '5',
  },
  ROLES: { schema: roles(), about: 'Roles of this process: api, worker or both.', example: 'api,worker' },
  DATA_DIR: {
    schema: z.string().default('./data'),
    about: 'Folder for the embedded database, stored media and generated secrets.',
    example: './data',
  },
  DATABASE_URL: {
    schema: database().optional(),
    about:
      'URL of a PostgreSQL database, version 15 or newer. You can list several servers, separated by commas (postgres://user:password@one,two/crier): Crier uses the one that accepts writes, even after a failover. Default: an embedded server under DATA_DIR.',
    example: 'postgres://crier:password@db.example.com:5432/crier',
  },
  DATABASE_LISTEN_URL: {
    schema: database().optional(),
    about:
      'URL of the same database without a pooler, for notifications, locks and migrations. Required if DATABASE_URL points to a pooler that ' +
      'shares connections between transactions (PgBouncer in transaction mode). Default: DATABASE_URL.',
    example: 'postgres://crier:password@db.example.com:5432/crier',
  },
  NETWORKS: {
    schema: oneOf(['sandbox', 'live'], 'sandbox'),
    about: 'sandbox runs simulated networks on this machine; live uses the real ones.',
    example: 'sandbox',
  },
  NETWORKS_SERVED: {
    schema: networks(Object.keys(connectables)),
    about:
      'Networks this worker publishes to, separated by commas. Each network needs at least one worker. Default: all.',
    example: Object.keys(connectables).slice(0, 2).join(','),
  },
  SANDBOX_PORT: {
    schema: port().default(3010),
    about: 'Port of the sandbox. 0 picks a free port.',
    example: '3010',
  },
  STORAGE_URL: {
    schema: storage().optional(),
    about:
      'Where uploaded media is stored: file:<folder>, or s3://<bucket>?region=…. For a bucket, add endpoint=… if the server is not ' +
      'AWS, accessKeyId=… and secretAccessKey=… unless the AWS variables are set, and publicUrl=… if the bucket ' +
      'is public. Default: under DATA_DIR.',
    example: 's3://my-bucket?region=eu-central-1',
  },
  SECRET_KEY: {
    schema: secretKeys().optional(),
    about:
      'Key that encrypts credentials: 64 hex digits (openssl rand -hex 32). Default: generated into DATA_DIR. ' +
      'To rotate, put the new key first and the old ones after it, separated by commas.',
    example: '',
  },
  DEFAULT_PLAN: {
    schema: oneOf(planKeys, undefined).optional(),
    about:
      'Plan for new accounts. Default: pro in the sandbox, otherwise starter (15 posts a month, 3 accounts, no X).',
    example: 'pro',
  },
  MAIL_URL: {
    schema: mailServer().optional(),
    about:
      'SMTP server for emails to users: smtp://user:password@host:587, or smtps://… for implicit TLS. ' +
      'Credentials are sent to other machines only over TLS. Default: the sandbox keeps emails and shows them on its /mail page; with NETWORKS=live, none are sent.',
    example: 'smtp://user:password@mail.example.com:587',
  },
  MAIL_FROM: {
    schema: mailSender().optional(),
    about: 'Sender of emails. Default: crier@ followed by the host of PUBLIC_URL.',
    example: 'Crier <crier@example.com>',
  },
  SIGN_UP: {
    schema: oneOf(['open', 'invite', 'closed'], undefined).optional(),
    about:
      'Who can sign up: anyone (open), people with a link from "npm run admin -- invite" (invite), or ' +
      'no one (closed). Default: open in the sandbox; otherwise open to the first person, and then by invitation (invite).',
    example: 'invite',
  },
  CORS_ORIGINS: {
    schema: origins(),
    about: 'Origins whose pages may call the API from a browser, separated by commas. Default: none.',
    example: 'https://app.example.com',
  },
  EGRESS_ALLOW: {
    schema: places(),
    about:
      'Private addresses that Crier may reach, as host:port, separated by commas: webhook receivers, media sources and network servers, such as ' +
      'social.intranet.example:443 for Mastodon. Every user of this instance can reach them. All other ' +
      'addresses that users enter must be public and use https. Default: none.',
    example: 'hooks.intranet.example:8080',
  },
  STRICT_PAST_TIMES: {
    schema: oneOf(['auto', 'on', 'off'], 'auto'),
    about:
      'Whether to reject times that are 5 minutes or more in the past (on) or replace them with the current time (off). auto has meant on since 2026-08-25.',
    example: 'auto',
  },
  RATE_LIMITS: {
    schema: rateFactor(),
    about: 'Factor for all rate limits (2 allows twice as many requests), or off. Default: 1.',
    example: '1',
  },
  MCP_AUTH: {
    schema: oneOf(['oauth', 'key'], 'oauth'),
    about:
      'How agents get access to /mcp. oauth: users sign in and approve the agent, or use an API key. ' +
      'key: only API keys work.',
    example: 'oauth',
  },
  ...retentionVariables,
  LOG_LEVEL: {
    schema: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    about: 'Lowest level to log: fatal, error, warn, info, debug, trace or silent.',
    example: 'info',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: url().optional(),
    about:
      'URL of an OpenTelemetry collector for traces (OTLP over HTTP). Other variables of the OpenTelemetry exporter, such as ' +
      'OTEL_EXPORTER_OTLP_HEADERS, also apply. Default: no traces are sent.',
    example: 'http://127.0.0.1:4318',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: share(),
    about: 'Fraction of traces to send, from 0 to 1. Default: 1.',
    example: '0.1',
  },
} as const satisfies Record<string, { schema: z.ZodType; about: string; example: string }>;

type Schemas = { [Name in keyof typeof variables]: (typeof variables)[Name]['schema'] };
const Environment = z.object(
  Object.fromEntries(Object.entries(variables).map(([name, { schema }]) => [name, schema])) as unknown as Schemas,
);

export type Config = Readonly<{
  port: number;
  host: string;
  publicUrl: string | null;
  /** Addresses and CIDR ranges of reverse proxies. */
  trustProxy: readonly string[];
  allowInsecure: boolean;
  metricsToken: string | null;
  metricsPort: number | null;
  /** How long a stopping process keeps accepting requests. */
  stopNoticeSeconds: number;
  roles: readonly Role[];
  dataDir: string;
  databaseUrl: string | null;
  /** Null: session-level work uses the database URL, too. */
  databaseListenUrl: string | null;
  platformMode: 'sandbox' | 'live';
  /** The platforms that this worker publishes to. */
  networksServed: readonly string[];
  sandboxPort: number;
  storage: StorageConfig;
  secretKeys: readonly string[];
  defaultPlan: (typeof planKeys)[number];
  /** Null: the sandbox keeps mail, and live mode sends none. */
  mailServer: MailServer | null;
  /** Null: derived from the public URL. */
  mailFrom: MailAddress | null;
  /** Null: the first person may sign up, and everyone else needs an invitation. */
  signUp: 'open' | 'invite' | 'closed' | null;
  corsOrigins: readonly string[];
  /** Exceptions to the egress guard, as `host:port`. */
  egressAllow: readonly string[];
  strictPastTimes: 'auto' | 'on' | 'off';
  /** Multiplies the rate limits. Null: no rate limits. */
  rateFactor: number | null;
  mcpAuth: 'oauth' | 'key';
  retention: Retention;
  logLevel: string;
  /** Null: tracing is off. */
  tracing: Readonly<{ endpoint: string; ratio: number }> | null;
  /** Live OAuth applications, by platform. */
  clients: Readonly<Record<string, { id: string; secret: string }>>;
  /** Platform-specific options that are set, by platform and name. */
  platformOptions: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Warnings about variables that look meant for Crier but have no effect. */
  unknownVariables: readonly string[];
}>;
/** Lists all mistakes together, each with its fix. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`;
    super(`The configuration has ${count}:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
  }
}

/**
 * Reads the given variables, or those of the process plus a `.env` file in the working directory. The process wins.
 * `inFile` names the variables of that file.
 */
export function readConfig(
  environment?: Readonly<Record<string, string | undefined>>,
  inFile: readonly string[] = environment ? [] : loadEnvFile(),
): Config {
  // A line such as `DATABASE_URL=` in a .env file sets an empty variable. Treat it as absent.
  const given = Object.fromEntries(Object.entries(environment ?? process.env).filter(([, value]) => value?.trim()));
  const result = Environment.safeParse(given);
  const clients = oauthClients(given);
  const options = platformOptions(given);
  const problems = [
    ...(result.error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}`),
    ...(given.DATABASE_LISTEN_URL && !given.DATABASE_URL ? [listensAlone] : []),
    ...clients.problems,
    ...options.problems,
  ];
  if (!result.success || problems.length > 0) throw new ConfigurationError(problems);
  const values = result.data;
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL ?? null,
    trustProxy: values.TRUST_PROXY,
    allowInsecure: values.ALLOW_INSECURE === '1',
    metricsToken: values.METRICS_TOKEN ?? null,
    metricsPort: values.METRICS_PORT ?? null,
    stopNoticeSeconds: values.STOP_NOTICE_SECONDS,
    roles: values.ROLES,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL ?? null,
    databaseListenUrl: values.DATABASE_LISTEN_URL ?? null,
    platformMode: values.NETWORKS,
    networksServed: values.NETWORKS_SERVED,
    sandboxPort: values.SANDBOX_PORT,
    storage: values.STORAGE_URL ?? { kind: 'disk' as const, folder: resolve(values.DATA_DIR) },
    secretKeys: values.SECRET_KEY ?? [],
    defaultPlan: values.DEFAULT_PLAN ?? (values.NETWORKS === 'sandbox' ? 'pro' : 'starter'),
    mailServer: values.MAIL_URL ?? null,
    mailFrom: values.MAIL_FROM ?? null,
    signUp: values.SIGN_UP ?? (values.NETWORKS === 'sandbox' ? 'open' : null),
    corsOrigins: values.CORS_ORIGINS,
    egressAllow: values.EGRESS_ALLOW,
    strictPastTimes: values.STRICT_PAST_TIMES,
    rateFactor: values.RATE_LIMITS,
    mcpAuth: values.MCP_AUTH,
    retention: retentionOf(values),
    logLevel: values.LOG_LEVEL,
    tracing: values.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: values.OTEL_TRACES_SAMPLER_ARG }
      : null,
    clients: clients.found,
    platformOptions: options.found,
    unknownVariables: unknownVariables(Object.keys(given), inFile),
  });
}

const listensAlone =
  'DATABASE_LISTEN_URL has no effect without DATABASE_URL: it is a second address of the same database';

/** Loads the file into the process environment, where libraries look for their variables, too. Returns its names. */
function loadEnvFile(): string[] {
  try {
    const names = Object.keys(parseEnv(readFileSync('.env', 'utf8')));
    process.loadEnvFile('.env');
    return names;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new ConfigurationError([`.env cannot be read (${code}): check the file and its permissions`]);
  }
}

/** Every variable with its description, in table order. `standard` is set if the default needs no explanation. */
export function describedVariables() {
  const ours = Object.entries(variables).map(([name, { schema, about, example }]) => {
    const { data } = schema.safeParse(undefined);
    const standard = data === undefined || data === null ? '' : String(data);
    return { name, about, example, standard };
  });
  const options = optionVariables.map(({ variable, option: { about, standard } }) => ({
    name: variable,
    about,
    example: standard,
    standard,
  }));
  return [...ours, ...options];
}

/** The text of `.env.example`. */
export function environmentExample(): string {
  const entries = describedVariables().map(({ name, about, example }) => `# ${about}\n#${name}=${example}\n`);
  const [firstPair] = Object.keys(connectables).map(clientVariables);
  const clients = `# OAuth applications for NETWORKS=live, one pair per network: ${firstPair!.join(', ')}, …\n`;
  return `# Generated from src/config/config.ts by "npm run generate". Every variable is optional.\n# Copy this file to .env, which Crier reads at startup. Variables of the process take precedence.\n\n${[...entries, clients].join('\n')}`;
}

/**
 * Variables of other programs that people keep in the same file: the AWS SDK, Node, npm, PostgreSQL, Docker, proxies.
 */
const foreign =
  /^(AWS|NODE|NPM|PG|POSTGRES|COMPOSE|DOCKER|TEST)_?|^(TZ|DEBUG|(NO|FORCE)_COLOR|(HTTPS?|NO|ALL)_PROXY)$/i;
/** Variables of the `crier` command line, and the name of the admin command. */
const ofCommandLine = ['CRIER_URL', 'CRIER_KEY', 'CRIER_DEBUG', 'CRIER_ADMIN'];
/** In shorter names, two typos make a different word: HOME and HOST. */
const minTypoLength = 7;

/**
 * The process environment is full of other programs' variables. A variable counts as meant for Crier only if it is in
 * the `.env` file, begins with CRIER_, or is a typo away from one of ours.
 */
function unknownVariables(names: readonly string[], inFile: readonly string[]): string[] {
  const options = optionVariables.map(({ variable }) => variable);
  const known = [...Object.keys(variables), ...options, ...Object.keys(connectables).flatMap(clientVariables)];
  const isTypo = (name: string) =>
    name.length >= minTypoLength && known.some((ours) => editDistance(name.toUpperCase(), ours) <= 2);
  return names
    .filter((name) => !known.includes(name) && !ofCommandLine.includes(name))
    .filter((name) => name.startsWith('CRIER_') || isTypo(name) || (inFile.includes(name) && !foreign.test(name)))
    .map((name) => {
      const nearest = nearestName(name.replace(/^CRIER_/, ''), known);
      return `The variable ${name} does not exist and has no effect.${nearest ? ` Did you mean ${nearest}?` : ''}`;
    });
}

/** Every option of a platform, with the variable that holds it. */
const optionVariables = Object.entries(connectables).flatMap(([platform, { options = {} }]) =>
  Object.entries(options).map(([name, option]) => ({
    platform,
    name,
    option,
    variable: `${platform.toUpperCase()}_${name}`,
  })),
);

function platformOptions(given: Record<string, string | undefined>) {
  const found: Record<string, Record<string, string>> = {};
  const problems: string[] = [];
  for (const { platform, name, option, variable } of optionVariables) {
    const value = given[variable]?.trim();
    if (value === undefined) continue;
    if (option.pattern.test(value)) found[platform] = { ...found[platform], [name]: value };
    else problems.push(`${variable} ${option.mistake}`);
  }
  return { found, problems };
}

const clientVariables = (platform: string) =>
  [`${platform.toUpperCase()}_CLIENT_ID`, `${platform.toUpperCase()}_CLIENT_SECRET`] as const;

function oauthClients(given: Record<string, string | undefined>) {
  const found: Record<string, { id: string; secret: string }> = {};
  const problems: string[] = [];
  for (const platform of Object.keys(connectables)) {
    const [idName, secretName] = clientVariables(platform);
    const [id, secret] = [given[idName], given[secretName]];
    if (id && secret) found[platform] = { id, secret };
    else if (id) problems.push(`${secretName} is missing: ${idName} is set, and both are needed`);
    else if (secret) problems.push(`${idName} is missing: ${secretName} is set, and both are needed`);
  }
  return { found, problems };
}
