import { Resolver } from 'node:dns/promises';
import { isLocalhost } from './destination.js';

/** Resolves a name to its current addresses. The list is empty if the name has none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** Time limit of the first attempt of a query in milliseconds, and the number of attempts for each nameserver. */
const TRY_MILLISECONDS = 2_000;
const TRIES = 2;

/**
 * Queries the nameservers for the exact name, without search domains. A failed query returns no addresses. `dns.lookup` is
 * not used, because each call blocks a thread until the nameserver responds, and file access needs the same threads.
 */
export const nameserverLookup: Lookup = async (host) => {
  // RFC 6761: localhost names always resolve to the loopback address.
  if (isLocalhost(host)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: TRY_MILLISECONDS, tries: TRIES });
  const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
};
