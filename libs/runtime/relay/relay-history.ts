import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { StreamFaultLookup } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { ParkedStream } from '../../eventsourcing/projection.js';
import { HistoryReader } from '../codec/history-reader.js';
import { parkWrite, readParkedStreams, unparkWrite } from '../projecting/parked-streams.js';
import type { VerifiedLog } from '../codec/verified-history.js';

export type RelayHistoryParts = VerifiedLog & {
  /** The broken streams. The codec records its faults there. */
  readonly faults: Pick<StreamFaultLookup, 'of'>;
  readonly documents: Pick<Documents, 'apply' | 'texts'>;
  readonly onParked: (reader: string, parked: ParkedStream) => void;
};

const PAGE = 1_000;

/**
 * Reads the log for the relay. It parks a broken stream at its first unpublished event. Once the stream is
 * intact again, it returns the events that waited.
 */
export class RelayHistory {
  private readonly parked = new Map<string, ParkedStream>();
  /**
   * By released stream, the revision up to which `releasedStreams` returned its events. `read` returns the
   * later ones.
   */
  private readonly releasedUpTo = new Map<string, number>();
  private readonly reader: HistoryReader;

  private constructor(
    private readonly name: string,
    private readonly parts: RelayHistoryParts,
  ) {
    this.reader = new HistoryReader(parts);
  }

  /**
   * Opens the history. A relay that starts at the first event publishes the whole log, so it releases all
   * parked streams.
   */
  static async open(name: string, parts: RelayHistoryParts, from: number): Promise<RelayHistory> {
    const history = new RelayHistory(name, parts);
    const parked = await readParkedStreams(parts.documents, name);
    if (from === 0 && parked.length > 0) await parts.documents.apply(parked.map(({ stream }) => unparkWrite(name, stream)));
    else for (const stream of parked) history.parked.set(stream.stream, stream);
    return history;
  }

  /** Returns the events to publish, in order. Newly parked streams are stored when it resolves. */
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
    return events.filter(({ meta }) => meta.revision > (this.releasedUpTo.get(meta.stream) ?? -1));
  }

  /**
   * Yields the streams that are intact again, with their waiting events. Call `markPublished` after
   * publishing them.
   */
  async *releasedStreams(): AsyncGenerator<{ readonly events: readonly RecordedEvent[]; readonly markPublished: () => Promise<unknown> }> {
    for (const { stream, revision } of [...this.parked.values()]) {
      if (this.parts.faults.of(stream)) continue;
      const events = await this.readWaiting(stream, revision);
      if (!events) continue;
      yield { events, markPublished: () => this.parts.documents.apply([unparkWrite(this.name, stream)]) };
    }
  }

  /** Returns the waiting events, or null if the stream is still broken. */
  private async readWaiting(stream: string, from: number): Promise<readonly RecordedEvent[] | null> {
    const reader = new HistoryReader(this.parts);
    const waiting: RecordedEvent[] = [];
    let next = 0;
    for (;;) {
      const stored = await this.parts.store.readStream(stream, next, PAGE);
      const { events, faults } = await reader.read(stored);
      if (faults.length > 0) return null;
      waiting.push(...events.filter(({ meta }) => meta.revision >= from));
      next += stored.length;
      // Events that arrived during the read were skipped as parked. One more read finds them.
      if (stored.length < PAGE && !this.parked.delete(stream)) break;
    }
    this.releasedUpTo.set(stream, next - 1);
    return waiting;
  }

  private async park(found: readonly ParkedStream[]): Promise<void> {
    if (found.length === 0) return;
    await this.parts.documents.apply(found.map((stream) => parkWrite(this.name, stream)));
    for (const stream of found) {
      this.parked.set(stream.stream, stream);
      this.parts.onParked(this.name, stream);
    }
  }
}
