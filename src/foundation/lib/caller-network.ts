import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What counts as one caller: an IPv4 address, or a /64 IPv6 network, because one customer gets all of it. */
export function callerNetwork(address: string): string {
  const [plain = ''] = address.split('%', 1);
  if (isIP(plain) !== 6) return plain;
  // Convert to hex, because ipaddr.js 2.5.0 reads ::1.2.3.4 as ::ffff:1.2.3.4.
  const parsed = ipaddr.IPv6.parse(new URL(`http://[${plain}]`).hostname.slice(1, -1));
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
