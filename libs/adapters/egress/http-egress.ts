import { isIP, type Socket } from 'node:net';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { EgressFailed, type Egress, type OutgoingResponse, type OutgoingRequest } from '../../ports/egress.port.js';
import { allowedAddress, type AllowedAddress, type Allowance } from './destinations/addresses.js';
import { destinationOf, type Destination } from './destinations/destination.js';
import { dial, plainConnect, type Connect, type DialDependencies } from './connections/dial.js';
import { exchange } from './connections/exchange.js';
import { egressFailure } from './failures.js';
import { nameserverLookup, type Lookup } from './destinations/lookup.js';
import { proxyFrom } from './connections/proxy.js';
import { requestHeadersOf } from './request-headers.js';
import { startTls } from './connections/secure.js';
import { withTimeout, type TimeLimits } from './time-limits.js';

/** The dependencies and limits of the egress. Tests replace some of them. */
export type EgressOptions = {
  readonly clock: Clock;
  readonly allow: Allowance;
  /** `http://user:password@host:port`. Connections to loopback addresses bypass the proxy. */
  readonly proxy?: string;
  readonly limits?: TimeLimits;
  readonly lookup?: Lookup;
  readonly connect?: Connect;
  /** Certificate authorities in PEM, instead of the default ones. */
  readonly ca?: readonly string[];
};

const LIMITS: TimeLimits = { connectMilliseconds: 5_000, totalMilliseconds: 15_000 };

/**
 * Creates the egress, which sends all requests to URLs that clients supplied. The egress keeps no connection after a
 * request, so it need not be closed.
 */
export const openEgress = (options: EgressOptions): Egress => new HttpEgress(options);

class HttpEgress implements Egress {
  private readonly limits: TimeLimits;
  private readonly lookup: Lookup;
  private readonly dialParts: DialDependencies;

  constructor(private readonly options: EgressOptions) {
    const { clock, proxy, connect = plainConnect, limits = LIMITS, lookup = nameserverLookup } = options;
    this.limits = limits;
    this.lookup = lookup;
    this.dialParts = {
      connect,
      clock,
      proxy: proxy === undefined ? null : proxyFrom(proxy),
      connectMilliseconds: limits.connectMilliseconds,
    };
  }

  validateUrl(url: string): string | null {
    const destination = destinationOf(url, this.options.allow);
    return 'reason' in destination ? destination.reason : null;
  }

  async post(request: OutgoingRequest): Promise<OutgoingResponse> {
    const destination = destinationOf(request.url, this.options.allow);
    if ('reason' in destination) throw new EgressFailed('forbidden_address', destination.reason);
    const headers = requestHeadersOf(request, destination.authority);
    const { path } = destination;
    return withTimeout(this.limits.totalMilliseconds, this.options.clock, async (signal) => {
      const connection = await this.connect(destination, signal);
      return exchange(connection, { path, headers, body: request.body });
    });
  }

  private async connect({ host, port, secure }: Destination, signal: AbortSignal): Promise<Socket> {
    const socket = await dial(this.dialParts, await this.allowedAddressesOf(host), port, signal);
    return secure ? startTls(socket, host, this.options.ca) : socket;
  }

  /**
   * Resolves the host for each request, because its addresses may have changed since the URL was validated. The
   * connection uses only the returned addresses (contract 21.3). Throws if any address of the host is forbidden, even if
   * the other addresses are allowed.
   */
  private async allowedAddressesOf(host: string): Promise<readonly AllowedAddress[]> {
    const addresses = isIP(host) ? [host] : await this.resolve(host);
    return addresses.map((address) => {
      const allowed = allowedAddress(address, this.options.allow);
      if (allowed === null) throw new EgressFailed('forbidden_address', 'the name resolves to an address outside the public Internet');
      return allowed;
    });
  }

  private async resolve(host: string): Promise<readonly string[]> {
    try {
      return await this.lookup(host);
    } catch (error) {
      throw egressFailure('unknown_host', error);
    }
  }
}
