import { BlockList, isIP } from 'node:net';

/** An IPv4 or IPv6 address that was checked: nothing else is connected to. */
export type AllowedAddress = string & { readonly allowedAddress: true };

/** Whose own addresses may be used besides the Internet's: this machine's, or nobody's. */
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

/** What the registry of special-purpose addresses keeps from the Internet at large, and where clouds answer their own machines. */
const SPECIAL_4 = listOf('ipv4', [
  '0.0.0.0/8', // this network, unspecified
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by a provider's customers
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's own service, on an address that looks public
  '169.254.0.0/16', // link-local, and the clouds' metadata
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
 * All that was ever given to the Internet. Outside of it lie loopback, link-local, site-local, unique local and multicast
 * addresses, and most that carry an IPv4 address: mapped, compatible, translated (NAT64).
 */
const GLOBAL_6 = listOf('ipv6', ['2000::/3']);

const SPECIAL_6 = listOf('ipv6', [
  '2001::/23', // protocol assignments: Teredo (which carries IPv4), benchmarks, hashes for addresses
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries IPv4
  '2620:4f:8000::/48', // nameservers for private addresses
  '3ffe::/16', // an experiment that is over
  '3fff::/20', // documentation
]);

/** ISATAP carries an IPv4 address behind this mark, in any network. */
const ISATAP = [[0x0000, 0x5efe].join(), [0x0200, 0x5efe].join()];

/** The address when it may be connected to: one of the public Internet, or of this machine where that is allowed. */
export const allowedAddress = (address: string, allowance: Allowance): AllowedAddress | null => {
  // A zone names an interface of this machine; no address of the Internet has one.
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

/** The eight groups of an IPv6 address, in whichever way it is written. */
const groupsOf = (address: string): readonly number[] => {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = written.split('::').map((part) => part.split(':').filter(Boolean));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail].map((group) => Number.parseInt(group, 16));
};
