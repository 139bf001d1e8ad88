import type { RecordedEvent } from '../../libs/eventsourcing/message.js';
import type { LogServer } from './adapters/simulated-event-store.js';
import type { DocumentServer } from './adapters/simulated-documents.js';
import type { KeyServer } from './adapters/simulated-keys.js';
import type { LedgerServer } from './adapters/simulated-ledger.js';
import type { Carrier } from './network.js';
import type { Fault } from './plan.js';
import type { FindProcess } from './clients.js';
import type { Receivers } from './stand-ins.js';

/** What a world needs of a run. `onFailure` gets errors that no process may have. */
export type WorldParts = Carrier & { readonly receivers: Receivers; readonly onFailure: (error: unknown) => void };

/** Where the service runs in a simulation: its machines, its servers, and what may happen to them. */
export type World = {
  readonly log: LogServer;
  readonly documents: DocumentServer;
  readonly keys: KeyServer;
  readonly ledger: LedgerServer;
  /** Starts all processes. */
  start(): void;
  /** Returns a process that answers clients, or null. */
  readonly findProcess: FindProcess;
  /** Lets a fault happen. It ends after its duration. */
  befall(fault: Fault): void;
  /** Ends all faults, so that the service can finish what it has begun. */
  heal(): void;
  /** Returns what is left to do until every event is handled and every read model has it, or null. */
  whatIsLeft(): string | null;
  /** Checks what a world has beside the log and the documents, at the end of a run. Throws Violation. */
  checkEnd(events: readonly RecordedEvent[]): void;
};
