/** Tells clients apart for limits, by the addresses that they cannot choose at will. */
import { isIPv6 } from 'node:net';

/** Hextets that a network gives away; whoever has one has all addresses in it. */
const NETWORK_HEXTETS = 4;

/** Returns an IPv4 address as it is, also one that is mapped to IPv6, and of IPv6 the network. */
export function clientOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain) || plain === '::1') return address;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const hextets = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return `${hextets
    .slice(0, NETWORK_HEXTETS)
    .map(part => Number.parseInt(part, 16).toString(16))
    .join(':')}::/64`;
}
