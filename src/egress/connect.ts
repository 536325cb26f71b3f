import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { type Exceptions, isException } from './check-url.ts';
import { blockedHost, EgressError } from './egress-error.ts';
import { isPublicAddress } from './public-address.ts';

/** Every address of a name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export interface ConnectOptions {
  lookup?: Lookup | undefined;
  /** Certificate authorities to trust instead of the system's. */
  ca?: string | undefined;
}

/** How long a host may take until it can be spoken to: look-up, TCP and TLS. */
const connectTimeoutMs = 10_000;

/**
 * Opens sockets to public addresses, and to exceptions. A name is looked up once per connection and the answer that
 * is judged is the one the socket uses, so a name that changes its answer in between gains nothing.
 */
export function guardedConnect(exceptions: Exceptions, options: ConnectOptions = {}): buildConnector.connector {
  const { lookup = lookupInSystem, ca } = options;
  const open = (judge: Judge) =>
    buildConnector({
      lookup: nodeLookup(lookup, judge),
      ...(ca === undefined ? {} : { ca }),
      // Explicit, because the environment can turn it off for the whole process.
      rejectUnauthorized: true,
      autoSelectFamily: true,
      allowH2: false,
      timeout: connectTimeoutMs,
    });
  return judgedConnect(exceptions, open(allPublic), open(anything));
}

/** Judges what no look-up sees: literal addresses before, and the connected socket itself after. */
export function judgedConnect(
  exceptions: Exceptions,
  open: buildConnector.connector,
  openException: buildConnector.connector,
): buildConnector.connector {
  return (options, done) => {
    const { hostname, host, protocol } = options;
    if (isException(exceptions, new URL(`${protocol}//${host}`))) return openException(options, done);
    if (isIP(hostname) !== 0 && !isPublicAddress(hostname)) return done(blockedHost(hostname), null);
    open(options, (...[error, socket]) => {
      if (error) return done(error, null);
      if (isPublicAddress(socket.remoteAddress ?? '')) return done(null, socket);
      socket.destroy();
      done(blockedHost(hostname), null);
    });
  };
}

type Judge = (addresses: readonly string[]) => boolean;
/** One bad address among good ones refuses the name: honest names have none, and which is tried first is chance. */
const allPublic: Judge = (addresses) => addresses.every(isPublicAddress);
const anything: Judge = () => true;

/** In the form in which a socket asks, which is for all addresses, because of `autoSelectFamily`. */
function nodeLookup(lookup: Lookup, judge: Judge): LookupFunction {
  return (hostname, _options, done) => {
    judgedLookup(hostname, lookup, judge).then(
      (addresses) =>
        done(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      (error) => done(error, []),
    );
  };
}

async function judgedLookup(hostname: string, lookup: Lookup, judge: Judge): Promise<readonly string[]> {
  const addresses = await lookup(hostname).catch(() => []);
  if (addresses.length === 0) throw new EgressError('dns', `${hostname} has no address: no such host was found.`);
  if (!judge(addresses)) throw blockedHost(hostname);
  return addresses;
}

/** As the system does it, with its hosts file: names of an exception may be known only there. */
async function lookupInSystem(hostname: string): Promise<string[]> {
  return (await systemLookup(hostname, { all: true })).map(({ address }) => address);
}
