import type { Mongo } from '../../../../../libs/adapters/mongodb/index.js';
import type { EventStoreDb } from '../../../../../libs/adapters/eventstoredb/index.js';
import { checkpointOf } from '../../../../../libs/eventsourcing/ports/documents.port.js';
import type { Clock } from '../../../../../libs/eventsourcing/ports/clock.port.js';
import { StoreUnavailable } from '../../../../../libs/eventsourcing/ports/event-store.port.js';
import { projections } from '../../../../../libs/projections/projections.js';
import { findLostEvents } from '../../../../../libs/runtime/following/lost-events.js';
import { trackOutages } from '../../../../../libs/runtime/following/outages.js';
import { repeat } from '../../../../../libs/runtime/following/repeat.js';
import { RELAY } from '../../../../../libs/runtime/relay/relay.js';
import { CommandError } from '../../../errors/command-error.js';
import type { Log } from '../../../logging/log.js';

/** Milliseconds between two checks. Each is one command to the database and two requests to the log. */
const CHECK_EVERY = 5_000;

/** The checkpoints that are positions of the log. */
const CHECKPOINTS = [...projections.map(({ collection }) => checkpointOf(collection)), RELAY];

const REMEDY =
  'Put back the newer log. If there is none, stop all processes and follow "To restore" in deploy/runbook.md from step 2 on: ' +
  'drop the read models, delete the topics, and start again. What came after the end of the log is then lost';

type LogWatchDependencies = {
  readonly store: Pick<EventStoreDb, 'readStream' | 'lastPosition'>;
  readonly database: Pick<Mongo, 'checkpoints'>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Watches whether the log lacks events that the read models or the relay have handled (contract 24.9). While the log or the database
 * cannot be reached, the result of the last check applies.
 */
export class LogWatch {
  private missing: string | null = null;
  private stopChecking = (): Promise<void> => Promise.resolve();

  constructor(private readonly dependencies: LogWatchDependencies) {}

  /** A sentence about the missing events, or null if none are known to be missing. */
  missingEvents(): string | null {
    return this.missing;
  }

  /** Checks the log, and from then on every few seconds. Rejects with CommandError if events are missing. */
  async start(): Promise<void> {
    const { clock, log } = this.dependencies;
    const outages = trackOutages((error) =>
      log.warn({ err: error }, 'could not check the log for missing events; it will be checked again'),
    );
    const check = async (): Promise<number> => {
      await this.check();
      outages.reportRecovery();
      return CHECK_EVERY;
    };
    await check().catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error;
    });
    if (this.missing !== null) throw new CommandError(`EVENTSTOREDB_URL: ${this.missing}. ${REMEDY}`);
    this.stopChecking = repeat({ clock, firstDelay: CHECK_EVERY, work: check, failureDelay: CHECK_EVERY, onError: outages.reportFailure });
  }

  stop(): Promise<void> {
    return this.stopChecking();
  }

  private async check(): Promise<void> {
    const { store, database, log } = this.dependencies;
    const before = this.missing;
    this.missing = await findLostEvents({ log: store, checkpoints: () => database.checkpoints(CHECKPOINTS) });
    if (this.missing !== null && before === null)
      log.error({ reason: this.missing }, `events are missing, so writes are rejected. ${REMEDY}`);
    if (this.missing === null && before !== null) log.info({}, 'no events are missing any more');
  }
}

/** Returns the log with appends that reject while events are missing. They would get the positions of the missing events. */
export const rejectAppendsAfterLoss = (store: EventStoreDb, watch: Pick<LogWatch, 'missingEvents'>): EventStoreDb => ({
  async append(...args) {
    const missing = watch.missingEvents();
    if (missing !== null) throw new StoreUnavailable(missing);
    return store.append(...args);
  },
  readStream: (...args) => store.readStream(...args),
  readAll: (...args) => store.readAll(...args),
  subscribe: (...args) => store.subscribe(...args),
  lastPosition: () => store.lastPosition(),
  ready: () => store.ready(),
  close: () => store.close(),
});
