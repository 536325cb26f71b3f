import { BlockList, isIPv6 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** A dual-stack socket shows an IPv4 address as ::ffff:127.0.0.1, which counts too. */
export const isLoopback = (address: string) => loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
