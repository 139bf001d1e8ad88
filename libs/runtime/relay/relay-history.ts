import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { StreamFaultLookup } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { ParkedStream } from '../../eventsourcing/projection.js';
import { HistoryReader } from '../codec/history-reader.js';
import { park, parkedStreams, unpark } from '../projecting/parked-streams.js';
import type { VerifiedLog } from '../codec/verified-history.js';

export type RelayHistoryParts = VerifiedLog & {
  /** The broken streams; what the codec finds is noted there. */
  readonly faults: Pick<StreamFaultLookup, 'of'>;
  readonly documents: Pick<Documents, 'apply' | 'texts'>;
  readonly onParked: (reader: string, parked: ParkedStream) => void;
};

const PAGE = 1_000;

/**
 * The log as the relay publishes it: a broken stream is parked at its first event that was not published, and what
 * waits of it is handed out once the stream is whole again.
 */
export class RelayHistory {
  private readonly parked = new Map<string, ParkedStream>();
  /** Up to which revision a stream that came free was handed out: its later events come with the others. */
  private readonly handedOut = new Map<string, number>();
  private readonly reader: HistoryReader;

  private constructor(
    private readonly name: string,
    private readonly parts: RelayHistoryParts,
  ) {
    this.reader = new HistoryReader(parts);
  }

  /** A reader who begins with the first event has published nothing of any stream yet. */
  static async begin(name: string, parts: RelayHistoryParts, from: number): Promise<RelayHistory> {
    const history = new RelayHistory(name, parts);
    const parked = await parkedStreams(parts.documents, name);
    if (from === 0 && parked.length > 0) await parts.documents.apply(parked.map(({ stream }) => unpark(name, stream)));
    else for (const stream of parked) history.parked.set(stream.stream, stream);
    return history;
  }

  /** The events to be published, in their order. What is parked is on the disk when it resolves. */
  async read(stored: readonly StoredEvent[]): Promise<readonly RecordedEvent[]> {
    const found: ParkedStream[] = [];
    const isWaiting = (stream: string): boolean => this.parked.has(stream) || found.some((one) => one.stream === stream);
    for (const { stream, revision, position } of stored) {
      const fault = this.parts.faults.of(stream);
      if (fault && !isWaiting(stream)) found.push({ stream, revision, position, reason: fault.reason });
    }
    const { events, faults } = await this.reader.read(stored, isWaiting);
    for (const { stream, revision, reason } of faults) {
      const first = stored.find((event) => event.stream === stream && event.revision >= revision);
      found.push({ stream, revision: first?.revision ?? revision, position: first?.position ?? 0, reason });
    }
    await this.park(found);
    return events.filter(({ meta }) => meta.revision > (this.handedOut.get(meta.stream) ?? -1));
  }

  /** The streams that are whole again, each with what waited of it; `published` is to be called once that is done. */
  async *mended(): AsyncGenerator<{ readonly events: readonly RecordedEvent[]; readonly published: () => Promise<unknown> }> {
    for (const { stream, revision } of [...this.parked.values()]) {
      if (this.parts.faults.of(stream)) continue;
      const events = await this.waiting(stream, revision);
      if (!events) continue;
      yield { events, published: () => this.parts.documents.apply([unpark(this.name, stream)]) };
    }
  }

  /** Null when the stream turns out to be broken still. */
  private async waiting(stream: string, from: number): Promise<readonly RecordedEvent[] | null> {
    const reader = new HistoryReader(this.parts);
    const waiting: RecordedEvent[] = [];
    let next = 0;
    for (;;) {
      const stored = await this.parts.store.readStream(stream, next, PAGE);
      const { events, faults } = await reader.read(stored);
      if (faults.length > 0) return null;
      waiting.push(...events.filter(({ meta }) => meta.revision >= from));
      next += stored.length;
      // Events that came while it was read were skipped as those of a parked stream: one more look finds them.
      if (stored.length < PAGE && !this.parked.delete(stream)) break;
    }
    this.handedOut.set(stream, next - 1);
    return waiting;
  }

  private async park(found: readonly ParkedStream[]): Promise<void> {
    if (found.length === 0) return;
    await this.parts.documents.apply(found.map((stream) => park(this.name, stream)));
    for (const stream of found) {
      this.parked.set(stream.stream, stream);
      this.parts.onParked(this.name, stream);
    }
  }
}
