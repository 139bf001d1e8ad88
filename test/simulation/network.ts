import { StoreUnavailable } from '../../libs/eventsourcing/ports/event-store.port.js';
import { isRead, type Link } from './link.js';
import type { Process } from './process.js';
import type { Random } from './random.js';
import type { Story } from './story.js';
import type { Timeline } from './timeline.js';

/** Milliseconds after which a call without an answer fails. */
const TIMEOUT = 2_000;

/** What carries the calls of processes. */
export type Carrier = { readonly timeline: Timeline; readonly random: Random; readonly story: Story };

/**
 * The disk of one folder. Reads see what is committed. Writes are committed one after the other, in the order of the calls, and may
 * fail while the disk is full. While it is slow, each call takes 400 to 800 ms, and writes keep their order.
 */
export class Disk {
  isFull = false;
  isSlow = false;
  private idleAt = 0;

  constructor(private readonly carrier: Carrier) {}

  linkOf(process: Process): Link {
    const { timeline, story } = this.carrier;
    // The lock of the folder: its next process begins once the writes of the last one, which has crashed, are committed.
    const opensAt = this.idleAt;
    return (call, effect) =>
      new Promise((resolve, reject) => {
        if (!process.isAlive) return;
        const fate = process.nextCall(call);
        if (fate === 'crashes before') return process.crash();
        const sentAt = timeline.now;
        const arrival = sentAt + this.latency(call);
        const at = Math.max(arrival, isRead(call) ? opensAt : this.idleAt);
        if (!isRead(call)) this.idleAt = at;
        timeline.after(at - sentAt, () => {
          // A write that has reached the disk is committed, also if its process has crashed meanwhile.
          const answer = this.isFull && !isRead(call) ? failed(new StoreUnavailable('the disk is full')) : attempt(effect);
          story.tell(process, call, answer, sentAt);
          if (fate === 'crashes after') return process.crash();
          process.receive(() => answer.settle(resolve, reject));
        });
      });
  }

  private latency(call: string): number {
    const { random } = this.carrier;
    if (this.isSlow) return 400 + random.number() * 400;
    return isRead(call) ? 0 : random.number() * 2;
  }
}

/** The network between machines and servers. */
export class Network {
  /** The servers that nobody reaches. */
  readonly down = new Set<string>();
  /** What does not reach each other, such as `m1 log`. */
  readonly cut = new Set<string>();
  /** The probability that an answer is lost. */
  losses = 0;
  /** The milliseconds that a call may take to arrive, by `machine server`. Without an entry, it takes about one. */
  readonly slow = new Map<string, number>();

  constructor(private readonly carrier: Carrier) {}

  isReachable(machine: string, server: string): boolean {
    return !this.down.has(server) && !this.cut.has(`${machine} ${server}`);
  }

  /** With one connection, as to brokers, calls arrive in the order in which they are sent. Servers with many connections get them in any order. */
  linkOf(process: Process, server: string, hasOneConnection = false): Link {
    const { timeline, random, story } = this.carrier;
    let lastArrival = 0;
    const latency = (): number => 0.2 + random.number() * 2;
    const isReachable = (): boolean => this.isReachable(process.machine.name, server);
    return (call, effect) =>
      new Promise((resolve, reject) => {
        if (!process.isAlive) return;
        const fate = process.nextCall(call);
        if (fate === 'crashes before') return process.crash();
        const giveUp = (reason: string): void =>
          void timeline.after(TIMEOUT, () => process.receive(() => reject(new StoreUnavailable(`${server}: ${reason}`))));
        const sentAt = timeline.now;
        const slowness = this.slow.get(`${process.machine.name} ${server}`) ?? 0;
        const arrival = Math.max(sentAt + latency() + slowness, hasOneConnection ? lastArrival : 0);
        lastArrival = arrival;
        if (arrival - sentAt > TIMEOUT) giveUp('no answer came: the outcome is unknown');
        timeline.after(arrival - sentAt, () => {
          if (!isReachable()) return giveUp('no connection');
          const answer = attempt(effect);
          const isLost = random.chance(this.losses);
          story.tell(process, call, answer, sentAt, isLost);
          if (fate === 'crashes after') return process.crash();
          if (isLost) return giveUp('no answer came: the outcome is unknown');
          timeline.after(latency(), () => {
            if (!isReachable()) return giveUp('no answer came: the outcome is unknown');
            process.receive(() => answer.settle(resolve, reject));
          });
        });
      });
  }
}

/** The answer to a call: a value or an error. */
export type Answer<T> = {
  readonly text: () => string;
  readonly settle: (resolve: (value: T) => void, reject: (error: unknown) => void) => void;
};

const attempt = <T>(effect: () => T): Answer<T> => {
  try {
    const value = effect();
    return { text: () => describe(value), settle: (resolve) => resolve(value) };
  } catch (error) {
    return failed(error);
  }
};

const failed = (error: unknown): Answer<never> => ({ text: () => String(error), settle: (_, reject) => reject(error) });

const describe = (value: unknown): string => {
  if (value === undefined) return 'done';
  const text = JSON.stringify(value) ?? '';
  return text.length > LONGEST_ANSWER ? `${text.slice(0, LONGEST_ANSWER)}…` : text;
};

const LONGEST_ANSWER = 120;
