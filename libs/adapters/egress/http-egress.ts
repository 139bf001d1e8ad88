import { isIP, type Socket } from 'node:net';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { EgressFailed, type Egress, type OutgoingAnswer, type OutgoingRequest } from '../../ports/egress.port.js';
import { allowedAddress, type AllowedAddress, type Allowance } from './destinations/addresses.js';
import { destinationOf, type Destination } from './destinations/destination.js';
import { dial, plainConnect, type Connect, type DialParts } from './connections/dial.js';
import { exchange } from './connections/exchange.js';
import { failed } from './failures.js';
import { nameserverLookup, type Lookup } from './destinations/lookup.js';
import { proxyFrom } from './connections/proxy.js';
import { requestHeadersOf } from './request-headers.js';
import { secured } from './connections/secure.js';
import { within, type TimeLimits } from './time-limits.js';

/** What the way out needs, and what tests put in its place. */
export type EgressOptions = {
  readonly clock: Clock;
  readonly allow: Allowance;
  /** `http://user:password@host:port`: what leads out; this machine's own addresses are reached without it. */
  readonly proxy?: string;
  readonly limits?: TimeLimits;
  readonly lookup?: Lookup;
  readonly connect?: Connect;
  /** The authorities that are believed instead of the usual ones, in PEM. */
  readonly ca?: readonly string[];
};

const LIMITS: TimeLimits = { connectMilliseconds: 5_000, wholeMilliseconds: 15_000 };

/** The one door to addresses that callers supplied. It keeps nothing between two posts, so there is nothing to close. */
export const openEgress = (options: EgressOptions): Egress => new HttpEgress(options);

class HttpEgress implements Egress {
  private readonly limits: TimeLimits;
  private readonly lookup: Lookup;
  private readonly dialling: DialParts;

  constructor(private readonly options: EgressOptions) {
    const { clock, proxy, connect = plainConnect, limits = LIMITS, lookup = nameserverLookup } = options;
    this.limits = limits;
    this.lookup = lookup;
    this.dialling = {
      connect,
      clock,
      proxy: proxy === undefined ? null : proxyFrom(proxy),
      connectMilliseconds: limits.connectMilliseconds,
    };
  }

  objectionTo(url: string): string | null {
    const destination = destinationOf(url, this.options.allow);
    return 'objection' in destination ? destination.objection : null;
  }

  async post(request: OutgoingRequest): Promise<OutgoingAnswer> {
    const destination = destinationOf(request.url, this.options.allow);
    if ('objection' in destination) throw new EgressFailed('forbidden_address', destination.objection);
    const headers = requestHeadersOf(request, destination.authority);
    const { path } = destination;
    return within(this.limits.wholeMilliseconds, this.options.clock, async (over) => {
      const connection = await this.connected(destination, over);
      return exchange(connection, { path, headers, body: request.body });
    });
  }

  private async connected({ host, port, secure }: Destination, over: AbortSignal): Promise<Socket> {
    const socket = await dial(this.dialling, await this.checked(host), port, over);
    return secure ? secured(socket, host, this.options.ca) : socket;
  }

  /**
   * "Checked … again at connect time (no check-then-fetch race)": what is answered here is what is connected to. A name
   * that stands for a forbidden address is refused whole, whatever else it stands for.
   */
  private async checked(host: string): Promise<readonly AllowedAddress[]> {
    const addresses = isIP(host) ? [host] : await this.lookedUp(host);
    return addresses.map((address) => {
      const allowed = allowedAddress(address, this.options.allow);
      if (allowed === null)
        throw new EgressFailed('forbidden_address', 'the name stands for an address that is not one of the public Internet');
      return allowed;
    });
  }

  private async lookedUp(host: string): Promise<readonly string[]> {
    try {
      return await this.lookup(host);
    } catch (error) {
      throw failed('unknown_host', error);
    }
  }
}
