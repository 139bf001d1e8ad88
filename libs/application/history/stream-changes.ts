import { aggregateIdOf, categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import type { VerifiedLog } from '../../runtime/codec/verified-history.js';
import { readDocumentSteps, type DocumentStep } from '../../runtime/projecting/document-from-log.js';
import { auditedAggregate } from './audited.js';
import { eventWithChanges, type EventWithChanges, type Visibility } from './shown-events.js';

/**
 * Reads the changes of events in the order of the log. Each stream is read once from its first event, and goes on where the
 * event before ended. `through` returns the last revision of a stream that is read.
 */
export class StreamChanges {
  private readonly streams = new Map<string, AsyncGenerator<DocumentStep, void> | null>();

  constructor(
    private readonly log: VerifiedLog,
    private readonly visibility: Visibility,
    private readonly through: (stream: string) => number = () => Infinity,
  ) {}

  /**
   * Returns the event with its changes. Null if its stream is not audited. Rejects with BrokenHistory if the stream was altered or
   * cannot be read.
   */
  async read({ meta: { stream, revision } }: RecordedEvent): Promise<EventWithChanges | null> {
    const steps = this.stepsOf(stream);
    for (;;) {
      const step = await steps?.next();
      if (!step || step.done) return null;
      if (step.value.event.meta.revision === revision) return eventWithChanges(step.value, this.visibility);
    }
  }

  private stepsOf(stream: string): AsyncGenerator<DocumentStep, void> | null {
    const cached = this.streams.get(stream);
    if (cached !== undefined) return cached;
    const projection = auditedAggregate(categoryOf(stream))?.projection;
    const steps = projection ? readDocumentSteps(this.log, projection, aggregateIdOf(stream), this.through(stream)) : null;
    this.streams.set(stream, steps);
    return steps;
  }
}
