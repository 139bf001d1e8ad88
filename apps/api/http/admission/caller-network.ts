import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Matches an address in brackets or with a port, which a proxy may add. The rate limit key has no brackets and no port. */
const WITH_PORT = /^\[([^\]]*)\](?::\d+)?$|^([^:]*):\d+$/;

/**
 * Returns the rate limit key of an address: the IPv4 address, or the /64 network of an IPv6 address (contract
 * 11.2). One caller usually has a whole /64 network. All notations of an address have the same key. A text
 * that is not an address has the key `unknown`.
 */
export const callerNetwork = (written: string): string => {
  if (isIPv4(written)) return written;
  const [, bracketed, plain] = WITH_PORT.exec(written) ?? [];
  // The zone of an IPv6 address follows `%`.
  const [address = ''] = (bracketed ?? plain ?? written).split('%');
  if (isIPv4(address)) return address;
  return isIPv6(address) ? networkOf(address) : 'unknown';
};

/** Returns the first four groups (64 bits) of an IPv6 address, or the IPv4 address in an IPv4-mapped one. */
const networkOf = (address: string): string => {
  // `URL` converts an address to its canonical notation, in which `::` replaces groups of zeros.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff' ? ipv4Of(groups.slice(6)) : groups.slice(0, 4).join(':');
};

/** Converts the last two groups of an IPv4-mapped IPv6 address to an IPv4 address. */
const ipv4Of = (groups: readonly string[]): string =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');

/** Returns a function that checks whether an address is in one of the ranges, such as those of TRUSTED_PROXIES. */
export const rangeCheck = (ranges: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  // The address of a closed connection is empty, and BlockList would throw.
  return (address) => address !== '' && list.check(address, familyOf(address));
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
