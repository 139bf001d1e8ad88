import { Resolver } from 'node:dns/promises';
import { isLocalhost } from './destination.js';

/** The addresses that a name stands for now; none when it stands for none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

const TRY_MILLISECONDS = 2_000;
const TRIES = 2;

/**
 * Asks the nameservers, for the name as it stands. The system's own look-up would occupy one of the few threads that
 * files and keys need as well, for as long as a stranger's nameserver keeps silent.
 */
export const nameserverLookup: Lookup = async (host) => {
  // "Name resolution APIs should recognize localhost names as special and return the loopback address" (RFC 6761).
  if (isLocalhost(host)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: TRY_MILLISECONDS, tries: TRIES });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};
