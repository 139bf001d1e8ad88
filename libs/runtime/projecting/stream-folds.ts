import type { RecordedEvent } from '../../eventsourcing/message.js';
import { StreamCache } from '../../eventsourcing/streams/stream-cache.js';
import { readHistoryPages, type VerifiedLog } from '../codec/verified-history.js';

/** Number of streams whose folds are kept. A document may have 64 KB, so this is about 16 MB at most. */
const KEPT = 256;

/** A folded stream, and the last event that was folded: its revision and its position in the log. -1 before the first event. */
type Fold<State> = { readonly state: State; readonly revision: number; readonly position: number };

/** How streams are folded. */
export type Folding<State> = {
  readonly initial: State;
  readonly apply: (state: State, event: RecordedEvent) => State;
  /** Returns whether a kept fold up to a revision leaves out the events that are skipped now. Absent: it leaves out none. */
  readonly leavesOutSkipped?: (stream: string, state: State, revision: number) => boolean;
};

/**
 * Folds streams, as of an event or as of now. It keeps the last fold of a stream, so that a reader that goes forward reads only
 * the new events. A reader that goes back reads the stream from its start.
 */
export class StreamFolds<State> {
  private readonly kept = new StreamCache<Fold<State>>(KEPT, () => 0);

  constructor(
    private readonly log: VerifiedLog,
    private readonly folding: Folding<State>,
  ) {}

  /** Returns the fold just before and just after an event of its stream, which the caller has verified. */
  async around(event: RecordedEvent): Promise<readonly [before: State, after: State]> {
    const { stream, revision } = event.meta;
    const { state: before } = await this.fold(stream, { revision: revision - 1, position: event.position });
    const after = this.folding.apply(before, event);
    this.kept.put(stream, { state: after, revision, position: event.position });
    return [before, after];
  }

  /** Returns the fold of a stream's events up to a position of the log. Default: of all events. */
  async upTo(stream: string, position = Infinity): Promise<State> {
    const fold = await this.fold(stream, { revision: Infinity, position });
    if (fold.revision >= 0) this.kept.put(stream, fold);
    return fold.state;
  }

  /** Folds a stream up to its last event that is neither after the revision nor after the position. */
  private async fold(stream: string, last: Pick<Fold<State>, 'revision' | 'position'>): Promise<Fold<State>> {
    const kept = this.kept.get(stream);
    const isEarlier =
      kept &&
      kept.revision <= last.revision &&
      kept.position <= last.position &&
      (this.folding.leavesOutSkipped?.(stream, kept.state, kept.revision) ?? true);
    let fold = isEarlier ? kept : { state: this.folding.initial, revision: -1, position: -1 };
    if (fold.revision === last.revision) return fold;
    for await (const events of readHistoryPages(this.log, stream, { after: fold.revision, through: last.revision }))
      for (const event of events) {
        if (event.position > last.position) return fold;
        fold = { state: this.folding.apply(fold.state, event), revision: event.meta.revision, position: event.position };
      }
    return fold;
  }
}
