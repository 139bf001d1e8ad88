import type { ExportedEvent } from '../../../libs/audit/export/exported-event.js';
import type { ActorCount, Report, ReportEvent } from '../verification.js';

/** The number of events that a report shows. More would be neither read nor printed. */
const SHOWN = 5_000;

/** Collects the report of an export while it is verified. */
export class ReportBuilder {
  private readonly events: ReportEvent[] = [];
  private readonly counts = new Map<string, Map<string, number>>();

  /** Adds the next event. `metadata` has more members than a verification needs, among them the actor. */
  add({ number, metadata, type, stream, revision }: ExportedEvent): void {
    const { actor: given, time } = metadata as ExportedEvent['metadata'] & { readonly actor?: unknown };
    const actor = typeof given === 'string' ? given : '';
    if (this.events.length < SHOWN) this.events.push({ number, time, actor, type, stream, revision });
    const ofActor = this.counts.get(actor) ?? new Map<string, number>();
    this.counts.set(actor, ofActor.set(type, (ofActor.get(type) ?? 0) + 1));
  }

  /** Returns the report. Its counts begin with the largest. */
  finish(): Report {
    const counts = [...this.counts].flatMap(([actor, types]) => [...types].map(([type, count]): ActorCount => ({ actor, type, count })));
    return { events: this.events, counts: counts.toSorted((one, other) => other.count - one.count) };
  }
}
