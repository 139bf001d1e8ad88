import { BlockList, isIP } from 'node:net';

/** A public IPv4 or IPv6 address, or an allowed loopback address. The egress connects only to addresses of this type. */
export type AllowedAddress = string & { readonly allowedAddress: true };

/** The addresses that are allowed besides public ones: loopback, or none. */
export type Allowance = 'loopback' | 'none';

const listOf = (family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
};

const LOOPBACK_4 = listOf('ipv4', ['127.0.0.0/8']);

/** Special-purpose addresses in the IANA registry, and addresses of cloud metadata services. */
const SPECIAL_4 = listOf('ipv4', [
  '0.0.0.0/8', // this network, unspecified
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by a provider's customers
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // an internal service of Azure, although the address looks public
  '169.254.0.0/16', // link-local, including cloud metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // nameservers for private addresses
  '192.52.193.0/24', // multicast tunnels
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // nameservers for private addresses
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]);

/**
 * The allocated part of the IPv6 Internet. It excludes loopback, link-local, site-local, unique local and
 * multicast addresses, and most addresses that embed an IPv4 address: mapped, compatible, translated (NAT64).
 */
const GLOBAL_6 = listOf('ipv6', ['2000::/3']);

/** Special-purpose addresses within GLOBAL_6. */
const SPECIAL_6 = listOf('ipv6', [
  '2001::/23', // protocol assignments: Teredo (which carries IPv4), benchmarks, addresses made of hashes (ORCHID)
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries IPv4
  '2620:4f:8000::/48', // nameservers for private addresses
  '3ffe::/16', // 6bone, a finished experiment
  '3fff::/20', // documentation
]);

/**
 * The fifth and sixth group of an ISATAP address (RFC 5214), whose last two groups are an IPv4 address. Any network may
 * contain such addresses, so no list of networks can exclude them.
 */
const ISATAP = [[0x0000, 0x5efe].join(), [0x0200, 0x5efe].join()];

/** Returns the address if it is public, or if it is a loopback address and `allowance` is `loopback`. If not, returns null. */
export const allowedAddress = (address: string, allowance: Allowance): AllowedAddress | null => {
  // An address with a zone, like fe80::1%eth0, is never allowed, because it is valid only on this machine.
  const family = address.includes('%') ? 0 : isIP(address);
  const loopback = allowance === 'loopback' && isLoopbackAddress(address, family);
  const allowed = loopback || (family === 4 && isPublic4(address)) || (family === 6 && isPublic6(address));
  return allowed ? (address as AllowedAddress) : null;
};

const isLoopbackAddress = (address: string, family: number): boolean =>
  family === 4 ? LOOPBACK_4.check(address, 'ipv4') : family === 6 && groupsOf(address).join() === '0,0,0,0,0,0,0,1';

const isPublic4 = (address: string): boolean => !SPECIAL_4.check(address, 'ipv4');

const isPublic6 = (address: string): boolean =>
  GLOBAL_6.check(address, 'ipv6') && !SPECIAL_6.check(address, 'ipv6') && !ISATAP.includes(groupsOf(address).slice(4, 6).join());

/** Returns the eight groups of an IPv6 address. The URL parser first converts every notation to hexadecimal groups. */
const groupsOf = (address: string): readonly number[] => {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = written.split('::').map((part) => part.split(':').filter(Boolean));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail].map((group) => Number.parseInt(group, 16));
};
