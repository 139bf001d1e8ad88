import { connect as connectTo, type Socket } from 'node:net';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { EgressFailed } from '../../../ports/egress.port.js';
import { allowedAddress, type AllowedAddress } from '../destinations/addresses.js';
import { egressFailure } from '../failures.js';
import { tunnelTo, type Proxy } from './proxy.js';

/** Starts a connection to `host`, which is a checked address or the host of the proxy. */
export type Connect = (host: string, port: number) => Socket;

/** The dependencies of `dial`. */
export type DialDependencies = {
  readonly connect: Connect;
  readonly proxy: Proxy | null;
  readonly clock: Clock;
  /** The time limit for connecting to one address. */
  readonly connectMilliseconds: number;
};

/** Opens a TCP connection without checking the host. */
export const plainConnect: Connect = (host, port) => connectTo({ host, port, noDelay: true });

/**
 * Connects to the first reachable address, directly or through the proxy. Rejects with the error of the last address if
 * none is reachable. When `signal` aborts, no further address is tried. The abort also closes the socket, even
 * after `dial` has returned it.
 */
export const dial = async (
  dependencies: DialDependencies,
  addresses: readonly AllowedAddress[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> => {
  let last: unknown = new EgressFailed('unknown_host', 'the name does not resolve to an address');
  for (const address of addresses) {
    signal.throwIfAborted();
    try {
      return await dialOne(dependencies, address, port, signal);
    } catch (error) {
      last = error;
    }
  }
  throw last;
};

const dialOne = async (dependencies: DialDependencies, address: AllowedAddress, port: number, signal: AbortSignal): Promise<Socket> => {
  // `dial` gets only public addresses and allowed loopback addresses, so null means a loopback address. A connection to
  // loopback bypasses the proxy, because a proxy would connect to its own machine instead of this one.
  const proxy = allowedAddress(address, 'none') === null ? null : dependencies.proxy;
  try {
    const socket = await openSocket(dependencies, proxy?.host ?? address, proxy?.port ?? port, signal);
    if (proxy) await tunnelTo(socket, proxy, address, port);
    return socket;
  } catch (error) {
    throw egressFailure(proxy ? 'proxy_failed' : 'unreachable', error);
  }
};

const openSocket = (
  { connect, clock, connectMilliseconds }: DialDependencies,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(host, port);
    const tooLate = new EgressFailed('timed_out', `no connection within ${connectMilliseconds / 1000} s`);
    const cancel = clock.after(connectMilliseconds, () => socket.destroy(tooLate));
    signal.addEventListener('abort', () => void socket.destroy());
    socket.once('close', cancel);
    socket.once('connect', () => {
      cancel();
      resolve(socket);
    });
    // This listener stays registered after 'connect': a later error without a listener would end the process.
    socket.on('error', reject);
  });
