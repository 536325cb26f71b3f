import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Whether an address, as a socket has it, belongs to the public internet. Refused is whatever is not known to be good:
 * loopback, private, link-local, shared, multicast, documentation, reserved, and ranges nobody has defined yet.
 */
export function isPublicAddress(text: string): boolean {
  // Stricter than ipaddr.js, which reads octal and short forms too. An address with a zone is local by definition.
  if (isIP(text) === 0 || text.includes('%')) return false;
  if (isIP(text) === 4) return isPublicIPv4(ipaddr.IPv4.parse(text));
  // In hex throughout: ipaddr.js takes ::1.2.3.4 for ::ffff:1.2.3.4 (seen in 2.5.0).
  const address = ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1));
  const carried = translatedIPv4(address);
  return carried ? isPublicIPv4(carried) : address.range() === 'unicast' && address.match(globalUnicast);
}

/** Public by its number, but the door to the secrets of every machine on Azure: its metadata and wire server. */
const azureWireServer = '168.63.129.16';

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== azureWireServer;
}

/**
 * All that is assigned on the internet. Outside of it are the old ::a.b.c.d and ::ffff:0:a.b.c.d; inside, `range()`
 * singles out 6to4 and Teredo. Those tunnels end at the IPv4 address they carry, and no honest server is behind one
 * any more: refused, whatever they carry.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Two forms in which an IPv6 socket reaches an IPv4 host: mapped, and NAT64, by which IPv6-only machines live. */
function translatedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const prefixes = [ipaddr.IPv6.parseCIDR('::ffff:0:0/96'), ipaddr.IPv6.parseCIDR('64:ff9b::/96')];
  return prefixes.some((prefix) => address.match(prefix)) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : null;
}
