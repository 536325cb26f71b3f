import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Whether a socket address belongs to the public internet. Only ranges known to be public are allowed. Loopback, private,
 * link-local, shared, multicast, documentation, reserved and unassigned ranges are refused.
 */
export function isPublicAddress(text: string): boolean {
  // ipaddr.js also reads octal and short forms, so isIP comes first. An address with a zone is local by definition.
  if (isIP(text) === 0 || text.includes('%')) return false;
  if (isIP(text) === 4) return isPublicIPv4(ipaddr.IPv4.parse(text));
  // Convert to hex, because ipaddr.js 2.5.0 reads ::1.2.3.4 as ::ffff:1.2.3.4.
  const address = ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1));
  const carried = translatedIPv4(address);
  return carried ? isPublicIPv4(carried) : address.range() === 'unicast' && address.match(globalUnicast);
}

/** A public address that serves metadata and secrets to every machine on Azure. */
const azureWireServer = '168.63.129.16';

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== azureWireServer;
}

/**
 * All addresses assigned on the internet. The deprecated forms ::a.b.c.d and ::ffff:0:a.b.c.d lie outside it; inside,
 * `range()` singles out 6to4 and Teredo. These tunnels end at the IPv4 address they carry and serve no real host today,
 * so they are refused.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** IPv6 forms that reach an IPv4 host: mapped addresses and NAT64, which IPv6-only machines use. */
function translatedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const prefixes = [ipaddr.IPv6.parseCIDR('::ffff:0:0/96'), ipaddr.IPv6.parseCIDR('64:ff9b::/96')];
  return prefixes.some((prefix) => address.match(prefix)) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : null;
}
