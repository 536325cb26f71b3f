import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { type Exceptions, isException } from './check-url.ts';
import { blockedHost, EgressError } from './egress-error.ts';
import { isPublicAddress } from './public-address.ts';
import { type Lookup, publicLookup } from './public-lookup.ts';

export interface ConnectOptions {
  lookup?: Lookup | undefined;
  /** Certificate authorities to trust instead of the system's. */
  ca?: string | undefined;
}

/** For lookup, TCP and TLS together. */
const connectTimeoutMs = 10_000;

/**
 * Opens sockets to public addresses and to exceptions. A name is resolved once per connection, and the socket uses
 * exactly the addresses that were checked, which defeats DNS rebinding.
 */
export function guardedConnect(exceptions: Exceptions, options: ConnectOptions = {}): buildConnector.connector {
  const { lookup, ca } = options;
  const open = (isAllowed: AddressRule, ownLookup: Lookup) =>
    buildConnector({
      lookup: nodeLookup(lookup ?? ownLookup, isAllowed),
      ...(ca === undefined ? {} : { ca }),
      // Explicit, because the environment can turn it off for the whole process.
      rejectUnauthorized: true,
      autoSelectFamily: true,
      allowH2: false,
      timeout: connectTimeoutMs,
    });
  return checkedConnect(exceptions, open(allPublic, publicLookup()), open(anyAddress, lookupInSystem));
}

/** Checks what a lookup does not see: literal addresses before connecting, and the connected socket afterwards. */
export function checkedConnect(
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

type AddressRule = (addresses: readonly string[]) => boolean;
/** A single private address among public ones refuses the name, because a socket tries them in random order. */
const allPublic: AddressRule = (addresses) => addresses.every(isPublicAddress);
const anyAddress: AddressRule = () => true;

/** Adapts to Node's lookup signature. With `autoSelectFamily`, Node asks for all addresses. */
function nodeLookup(lookup: Lookup, isAllowed: AddressRule): LookupFunction {
  return (hostname, _options, done) => {
    checkedLookup(hostname, lookup, isAllowed).then(
      (addresses) =>
        done(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      (error) => done(error, []),
    );
  };
}

async function checkedLookup(hostname: string, lookup: Lookup, isAllowed: AddressRule): Promise<readonly string[]> {
  const addresses = await lookup(hostname).catch(() => []);
  if (addresses.length === 0) throw new EgressError('dns', `${hostname} has no address: no such host was found.`);
  if (!isAllowed(addresses)) throw blockedHost(hostname);
  return addresses;
}

/** For exceptions, whose hosts the operator chose: they may exist only in the hosts file. */
async function lookupInSystem(hostname: string): Promise<string[]> {
  return (await systemLookup(hostname, { all: true })).map(({ address }) => address);
}
