import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Normalises an address or a CIDR range: `10.1.2.3/8` becomes `10.0.0.0/8`, and an IPv4 address in IPv6 becomes IPv4.
 * Null if the text is neither.
 */
export function addressRange(text: string): string | null {
  const [, address = '', prefix] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const parsed = address.includes('%') ? null : parseAddress(address);
  if (!parsed) return null;
  const full = parsed.kind() === 'ipv4' ? 32 : 128;
  const isMapped = parsed.kind() === 'ipv4' && isIP(address) === 6;
  const bits = prefix === undefined ? full : Number(prefix) - (isMapped ? 96 : 0);
  if (bits < 0 || bits > full) return null;
  if (bits === full) return parsed.toString();
  const family = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${parsed}/${bits}`)}/${bits}`;
}

/** Whether a caller's address is in one of the ranges. A text that is not an address is in none. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  // The zone of a link-local address names a network interface of this machine.
  const parsed = parseAddress(address.replace(/%.*$/, ''));
  return parsed !== null && ranges.some((range) => isIn(parsed, range));
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, range: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`);
  return address.kind() === network.kind() && address.match(network, bits);
}

/** A dual-stack socket shows an IPv4 caller as `::ffff:192.0.2.1`, so convert that back to IPv4. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // ipaddr.js also reads octal and short forms, so isIP comes first.
  if (isIP(text) === 0) return null;
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text);
  // Convert to hex, because ipaddr.js 2.5.0 reads ::1.2.3.4 as ::ffff:1.2.3.4.
  const address = ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}
