import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { StreamFaultLookup } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { ParkedStream } from '../../eventsourcing/projection.js';
import { HistoryReader } from '../codec/history-reader.js';
import { parkWrite, readParkedStreams, unparkWrite } from '../projecting/parked-streams.js';
import type { VerifiedLog } from '../codec/verified-history.js';

export type RelayHistoryDependencies = VerifiedLog & {
  /** The known broken streams, which have an altered or unreadable event. The codec records here each fault that it finds. */
  readonly faults: Pick<StreamFaultLookup, 'of'>;
  readonly documents: Pick<Documents, 'apply' | 'texts'>;
  readonly onParked: (reader: string, parked: ParkedStream) => void;
};

const PAGE = 1_000;

/**
 * Reads the log for the relay, which publishes events to topics. Parks a broken stream at its first unpublished event: that
 * event and all later ones wait. Once the stream is intact again, `releasedStreams` yields the waiting events.
 */
export class RelayHistory {
  private readonly parked = new Map<string, ParkedStream>();
  /**
   * For each released stream, the revision of the last event that `releasedStreams` yielded. `read` returns only the events
   * after that revision.
   */
  private readonly releasedUpTo = new Map<string, number>();
  private readonly reader: HistoryReader;

  private constructor(
    private readonly name: string,
    private readonly dependencies: RelayHistoryDependencies,
  ) {
    this.reader = new HistoryReader(dependencies);
  }

  /** Opens the history. A relay that starts at the first event publishes the whole log, so it releases all parked streams. */
  static async open(name: string, dependencies: RelayHistoryDependencies, from: number): Promise<RelayHistory> {
    const history = new RelayHistory(name, dependencies);
    const parked = await readParkedStreams(dependencies.documents, name);
    if (from === 0 && parked.length > 0) await dependencies.documents.apply(parked.map(({ stream }) => unparkWrite(name, stream)));
    else for (const stream of parked) history.parked.set(stream.stream, stream);
    return history;
  }

  /** Returns the events to publish, in order. Parks the broken streams, and resolves after the parked streams are stored. */
  async read(stored: readonly StoredEvent[]): Promise<readonly RecordedEvent[]> {
    const found: ParkedStream[] = [];
    const isWaiting = (stream: string): boolean => this.parked.has(stream) || found.some((one) => one.stream === stream);
    for (const { stream, revision, position } of stored) {
      const fault = this.dependencies.faults.of(stream);
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
   * Yields the streams that are intact again, each with its waiting events. Publish the events, and call `markPublished`
   * afterwards.
   */
  async *releasedStreams(): AsyncGenerator<{ readonly events: readonly RecordedEvent[]; readonly markPublished: () => Promise<unknown> }> {
    for (const { stream, revision } of [...this.parked.values()]) {
      if (this.dependencies.faults.of(stream)) continue;
      const events = await this.readWaiting(stream, revision);
      if (!events) continue;
      yield { events, markPublished: () => this.dependencies.documents.apply([unparkWrite(this.name, stream)]) };
    }
  }

  /**
   * Returns the waiting events, or null if the stream is still broken. The stream is read from its first event on, because
   * the earlier events may be the broken ones.
   */
  private async readWaiting(stream: string, from: number): Promise<readonly RecordedEvent[] | null> {
    const reader = new HistoryReader(this.dependencies);
    const waiting: RecordedEvent[] = [];
    let next = 0;
    for (;;) {
      const stored = await this.dependencies.store.readStream(stream, next, PAGE);
      const { events, faults } = await reader.read(stored);
      if (faults.length > 0) return null;
      waiting.push(...events.filter(({ meta }) => meta.revision >= from));
      next += stored.length;
      // At the end of the stream, `delete` releases the stream and returns true. Until this release, `read` skipped new events
      // of the stream, so one more page is read. When the end is reached again, `delete` returns false, and the loop ends.
      if (stored.length < PAGE && !this.parked.delete(stream)) break;
    }
    this.releasedUpTo.set(stream, next - 1);
    return waiting;
  }

  private async park(found: readonly ParkedStream[]): Promise<void> {
    if (found.length === 0) return;
    await this.dependencies.documents.apply(found.map((stream) => parkWrite(this.name, stream)));
    for (const stream of found) {
      this.parked.set(stream.stream, stream);
      this.dependencies.onParked(this.name, stream);
    }
  }
}
