import { Resolver } from 'node:dns/promises';
import { isLocalhost } from './destination.js';

/** Resolves a name to its current addresses; an empty list when it has none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

const TRY_MILLISECONDS = 2_000;
const TRIES = 2;

/**
 * Queries the nameservers for the exact name, without search domains. `dns.lookup` is not used: until a slow
 * nameserver responds, it blocks a thread that file access also needs.
 */
export const nameserverLookup: Lookup = async (host) => {
  // RFC 6761: localhost names always resolve to the loopback address.
  if (isLocalhost(host)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: TRY_MILLISECONDS, tries: TRIES });
  const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
};
