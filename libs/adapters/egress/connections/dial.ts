import { connect as connectTo, type Socket } from 'node:net';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { EgressFailed } from '../../../ports/egress.port.js';
import { allowedAddress, type AllowedAddress } from '../destinations/addresses.js';
import { failed } from '../failures.js';
import { tunnelTo, type Proxy } from './proxy.js';

/** Begins a connection; the host is an address that was checked, or the proxy's. */
export type Connect = (host: string, port: number) => Socket;

/** What dialling needs. */
export type DialParts = {
  readonly connect: Connect;
  readonly proxy: Proxy | null;
  readonly clock: Clock;
  readonly connectMilliseconds: number;
};

/** Connects to what it is told. */
export const plainConnect: Connect = (host, port) => connectTo({ host, port, noDelay: true });

/** A connection to the first of the addresses that has one to give. Once `over` says so it is closed, or never begun. */
export const dial = async (parts: DialParts, addresses: readonly AllowedAddress[], port: number, over: AbortSignal): Promise<Socket> => {
  let last: unknown = new EgressFailed('unknown_host', 'the name stands for no address now');
  for (const address of addresses) {
    over.throwIfAborted();
    try {
      return await dialOne(parts, address, port, over);
    } catch (error) {
      last = error;
    }
  }
  throw last;
};

const dialOne = async (parts: DialParts, address: AllowedAddress, port: number, over: AbortSignal): Promise<Socket> => {
  // To the proxy, loopback would be its own machine and not this one.
  const proxy = allowedAddress(address, 'none') === null ? null : parts.proxy;
  try {
    const socket = await opened(parts, proxy?.host ?? address, proxy?.port ?? port, over);
    if (proxy) await tunnelTo(socket, proxy, address, port);
    return socket;
  } catch (error) {
    throw failed(proxy ? 'proxy_failed' : 'unreachable', error);
  }
};

const opened = ({ connect, clock, connectMilliseconds }: DialParts, host: string, port: number, over: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(host, port);
    const tooLate = new EgressFailed('timed_out', `no connection came about within ${connectMilliseconds / 1000} s`);
    const cancel = clock.after(connectMilliseconds, () => socket.destroy(tooLate));
    over.addEventListener('abort', () => void socket.destroy());
    socket.once('close', cancel);
    socket.once('connect', () => {
      cancel();
      resolve(socket);
    });
    // Stays for good: a connection that breaks between two steps must not take the process with it.
    socket.on('error', reject);
  });
