// Resolves the hosts of LEAD_HOSTS to a port of this machine, in a Crier process that otherwise runs as in production:
// with its egress guard, and with TLS under the name of the host. Loaded by `node --import`.
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import tls from 'node:tls';

const { hosts, port } = JSON.parse(process.env.LEAD_HOSTS);
const { lookup } = dns;
const { connect } = tls;

dns.lookup = async (name, options) =>
  hosts.includes(name) ? [{ address: '127.0.0.1', family: 4 }] : lookup(name, options);
tls.connect = (options, ...rest) => connect(isLed(options) ? { ...options, port } : options, ...rest);
syncBuiltinESMExports();

const isLed = (options) => hosts.includes(options?.host) && Number(options.port) === 443;
