import type { Clock } from '../../../../../libs/eventsourcing/ports/clock.port.js';
import type { Log } from '../../../../../libs/eventsourcing/ports/log.port.js';
import { reasonOf } from '../../../../../libs/eventsourcing/reason.js';
import { repeat } from '../../../../../libs/runtime/following/repeat.js';
import { cacheForASecond } from '../../../running/cache-for.js';
import { withTimeout } from '../../../running/with-timeout.js';

/** Milliseconds between two checks, so that the start of an outage is known although nobody reads the health. */
const CHECK_EVERY = 5_000;

/** A server that a process uses. */
export type WatchedServer = {
  /** Resolves when the server responds. */
  readonly ping: () => Promise<unknown>;
  /** What waits or is rejected while the server is away, for operators. */
  readonly waiting: string;
};

/** The state of a server, as health shows it (contract 25.1). */
export type ServerState =
  | { readonly status: 'up' }
  /** `since`: when it was first found away, ISO 8601. */
  | { readonly status: 'down'; readonly since: string; readonly waiting: string };

export type ServerStates = Readonly<Record<string, ServerState>>;

type ServerWatchDependencies = { readonly servers: Readonly<Record<string, WatchedServer>>; readonly clock: Clock; readonly log: Log };

/** Watches the servers that this process uses, and since when each is away. */
export class ServerWatch {
  /** Returns the state of each server by name, at most one second old. Never rejects. */
  readonly states: () => Promise<ServerStates>;
  private readonly downSince = new Map<string, string>();
  private stopChecking = (): Promise<void> => Promise.resolve();

  constructor(private readonly dependencies: ServerWatchDependencies) {
    this.states = cacheForASecond(dependencies.clock, () => this.check());
  }

  /** Checks the servers every few seconds. */
  start(): void {
    const work = (): Promise<number> => this.states().then(() => CHECK_EVERY);
    this.stopChecking = repeat({
      clock: this.dependencies.clock,
      firstDelay: 0,
      work,
      failureDelay: CHECK_EVERY,
      onError: () => undefined,
    });
  }

  stop(): Promise<void> {
    return this.stopChecking();
  }

  private async check(): Promise<ServerStates> {
    const states = Object.entries(this.dependencies.servers).map(
      async ([name, server]) => [name, await this.stateOf(name, server)] as const,
    );
    return Object.fromEntries(await Promise.all(states));
  }

  private async stateOf(server: string, { ping, waiting }: WatchedServer): Promise<ServerState> {
    const { clock, log } = this.dependencies;
    const before = this.downSince.get(server);
    try {
      await withTimeout(ping(), clock);
      if (before !== undefined) log.info({ server, since: before }, 'a server is back');
      this.downSince.delete(server);
      return { status: 'up' };
    } catch (error) {
      const since = before ?? clock.now().toISOString();
      if (before === undefined) log.warn({ server, waiting, reason: reasonOf(error) }, 'a server is away');
      this.downSince.set(server, since);
      return { status: 'down', since, waiting };
    }
  }
}

/** Returns the names of the servers that are away, and since when, as a sentence. */
export const describeDown = (states: ServerStates): string =>
  Object.entries(states)
    .flatMap(([name, state]) => (state.status === 'down' ? [`${name} has been away since ${state.since}`] : []))
    .join(', ');
