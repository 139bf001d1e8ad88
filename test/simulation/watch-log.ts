import { categoryOf } from '../../libs/eventsourcing/message.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { LogServer } from './adapters/simulated-event-store.js';
import { Violation } from './violation.js';

type Metadata = { readonly hash: string; readonly previousHash: string; readonly tenant: string };

/** The category of streams that belong to nobody. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set(['checkpoint', 'messagecount', 'security', 'revocations', 'username', 'email']);

/** Checks each event as it is appended: what holds after every step. */
export class LogWatch {
  private read = 0;
  private readonly ends = new Map<string, Metadata>();
  /** Who holds each pet: an order. */
  private readonly holders = new Map<string, string>();

  constructor(private readonly log: LogServer) {}

  /** Checks the events since the last call. Throws Violation. */
  check(): void {
    const added = this.log.readAll(this.read, Infinity);
    this.read += added.length;
    for (const event of added) this.checkEvent(event);
  }

  private checkEvent({ stream, revision, type, data, metadata }: StoredEvent): void {
    const meta = JSON.parse(metadata) as Metadata;
    const end = this.ends.get(stream);
    if (meta.previousHash !== (end?.hash ?? ''))
      throw new Violation('streams never fork', `event ${revision} of ${stream}, a ${type}, does not follow the event before it`);
    if (end && end.tenant !== meta.tenant && !OF_THE_SERVICE.has(categoryOf(stream)))
      throw new Violation('tenants never meet', `event ${revision} of ${stream}, a ${type}, is of another tenant than the event before it`);
    this.ends.set(stream, meta);
    if (categoryOf(stream) === 'pet') this.checkHolder(stream, type, JSON.parse(data) as { readonly holder?: { readonly id: string } });
  }

  private checkHolder(stream: string, type: string, { holder }: { readonly holder?: { readonly id: string } }): void {
    const before = this.holders.get(stream);
    if (type === 'PetReserved' && holder) {
      if (before !== undefined && before !== holder.id)
        throw new Violation('one pet for an order', `${stream} is reserved for ${holder.id}, but ${before} holds it`);
      this.holders.set(stream, holder.id);
    }
    if (type === 'PetReleased') {
      if (before !== holder?.id)
        throw new Violation('only the holder releases', `${stream} is released by ${holder?.id}, but ${before} holds it`);
      this.holders.delete(stream);
    }
  }
}
