import type {
  AppendResult,
  EncodedEvent,
  EventStore,
  ExpectedRevision,
  StoredEvent,
} from '../../../libs/eventsourcing/ports/event-store.port.js';
import type { Link } from '../link.js';

const PAGE = 500;

/** The log of a simulated event store. */
export class LogServer {
  readonly events: StoredEvent[] = [];
  private readonly streams = new Map<string, StoredEvent[]>();
  private readonly listeners = new Set<() => void>();

  /** Appends events. `onAppended` runs before the append is complete: if it throws, nothing is appended. */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EncodedEvent[],
    onAppended: (appended: readonly StoredEvent[]) => void = () => undefined,
  ): AppendResult {
    const existing = this.streams.get(stream) ?? [];
    const first = expected === 'none' ? 0 : expected + 1;
    if (existing.length !== first) return this.repeatedAppend(existing, first, events);
    const appended = events.map((event, index) => ({
      ...event,
      stream,
      revision: first + index,
      position: this.events.length + index + 1,
    }));
    onAppended(appended);
    this.events.push(...appended);
    this.streams.set(stream, [...existing, ...appended]);
    for (const listener of [...this.listeners]) listener();
    return { kind: 'appended', revision: first + events.length - 1, position: this.events.length };
  }

  readStream(stream: string, from = 0, limit = Number.MAX_SAFE_INTEGER): readonly StoredEvent[] {
    return this.streams.get(stream)?.slice(from, from + limit) ?? [];
  }

  readAll(after: number, limit: number): readonly StoredEvent[] {
    return this.events.slice(after, after + limit);
  }

  head(): number {
    return this.events.length;
  }

  /** Calls `listener` after each append. Returns a function that removes it. */
  onAppended(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** An append of the same events at the same place returns the first result. */
  private repeatedAppend(existing: readonly StoredEvent[], first: number, events: readonly EncodedEvent[]): AppendResult {
    const last = existing[first + events.length - 1];
    if (last && events.every(({ id }, index) => existing[first + index]?.id === id))
      return { kind: 'appended', revision: last.revision, position: last.position };
    return { kind: 'conflict', actual: existing.at(-1)?.revision ?? 'none' };
  }
}

/** Returns the event store of one process. `onAppended` runs within each append. */
export const simulatedEventStore = (
  server: LogServer,
  link: Link,
  onAppended?: (appended: readonly StoredEvent[]) => void,
): EventStore & { lastPosition(): Promise<number> } => ({
  append: (stream, expected, events) =>
    link(`append ${events.map(({ type }) => type).join(', ')} to ${stream}`, () => server.append(stream, expected, events, onAppended)),
  readStream: (stream, from, limit) => link(`read ${stream}`, () => server.readStream(stream, from, limit)),
  readAll: (after, limit) => link(`read the log after ${after}`, () => server.readAll(after, limit)),
  lastPosition: () => link('read the end of the log', () => server.head()),
  async *subscribe(after, signal) {
    for (let at = after; !signal.aborted;) {
      const { events, caughtUp } = await link(`read the log after ${at}`, () => {
        const page = server.readAll(at, PAGE);
        return { events: page, caughtUp: at + page.length >= server.head() };
      });
      if (signal.aborted) return;
      yield { events, caughtUp };
      at = events.at(-1)?.position ?? at;
      if (caughtUp) await waitForAppend(server, at, signal);
    }
  },
});

const waitForAppend = (server: LogServer, after: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (server.head() > after || signal.aborted) return resolve();
    const end = (): void => {
      stopListening();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const stopListening = server.onAppended(end);
    signal.addEventListener('abort', end);
  });
