import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { AppendResult, EncodedEvent, ExpectedRevision } from '../../../eventsourcing/ports/event-store.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { appendResponseOf, type AppendResponse } from './append-responses.js';
import type { Connection } from '../connection/connection.js';
import { failureOf, reasonOf, toPortError, type Failure } from '../connection/failures.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import { pause } from './pause.js';
import type { OwnStreams } from './own-streams.js';
import type { Reads } from './reads.js';

/** Maximum number of attempts of an append. Each sends the same events. */
const MAX_ATTEMPTS = 4;
/** The pause before the first retry in milliseconds. It doubles with each retry. */
const FIRST_PAUSE = 25;

export type AppendDependencies = {
  readonly connection: Connection;
  readonly reads: Reads;
  readonly own: OwnStreams;
  readonly clock: Clock;
  readonly log: Log;
};

type Append = { readonly stream: string; readonly expected: ExpectedRevision; readonly events: readonly EncodedEvent[] };
/** The failure of one attempt. */
type SendFailure = { readonly kind: Failure; readonly error: unknown };
type SendResult = { readonly kind: 'responded'; readonly response: AppendResponse } | SendFailure;

/**
 * Appends events with retries. After a lost response, it reads the stream to find out whether the events were
 * written.
 */
export class Appends {
  constructor(private readonly dependencies: AppendDependencies) {}

  async append(append: Append): Promise<AppendResult> {
    const { stream, events } = append;
    if (events.length === 0) throw new RangeError('an append needs at least one event');
    let failed = null as SendFailure | null;
    for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
      if (tries > 1) await pause(this.dependencies.clock, FIRST_PAUSE * 2 ** (tries - 2));
      const sent = await this.send(append);
      if (sent.kind !== 'responded') {
        // The attempt with the lost response may have written the events. So the failure stays `lost`, even if a later attempt is
        // refused.
        failed = failed?.kind === 'lost' ? failed : sent;
        if (sent.kind === 'refused' || sent.kind === 'impossible') break;
        if (sent.kind !== 'lost') continue;
      }
      const result =
        sent.kind === 'responded' ? await this.resultOf(append, sent.response) : await this.resolveLostResponse(append, sent.error);
      if (result) return result;
    }
    throw failed?.kind === 'lost' ? outcomeUnknown(stream, failed.error) : toPortError(failed?.error);
  }

  private async send({ stream, expected, events }: Append): Promise<SendResult> {
    const { connection, own } = this.dependencies;
    try {
      return { kind: 'responded', response: appendResponseOf(await connection.append(own.prefix + stream, expected, events)) };
    } catch (error) {
      return { kind: failureOf(error), error };
    }
  }

  private async resultOf(append: Append, response: AppendResponse): Promise<AppendResult> {
    if (response.kind === 'conflict') return this.resolveConflict(append, response.actual);
    const { revision, position } = response;
    if (position !== null) return { kind: 'appended', revision, position };
    // A response without a position means that an earlier attempt wrote the events.
    const [last] = await this.dependencies.reads.stream(append.stream, revision, 1);
    if (!last)
      throw new StoreUnavailable(`EventStoreDB does not return the events appended to ${append.stream}; retry with the same events`);
    return { kind: 'appended', revision, position: last.position };
  }

  /** If an earlier call has appended the same events at the same revisions, returns its result. If not, returns the conflict. */
  private async resolveConflict(append: Append, actual: ExpectedRevision): Promise<AppendResult> {
    const mayHaveBeenAppended = actual !== 'none' && actual >= lastRevisionOf(append);
    return (mayHaveBeenAppended ? await this.findAppended(append) : null) ?? { kind: 'conflict', actual };
  }

  /**
   * Reads the stream to find the result of an append whose response was lost. Returns a conflict if the stream has other
   * events at the revisions of the append. Returns null if the stream has no events there, so that the append may be sent
   * again.
   */
  private async resolveLostResponse(append: Append, error: unknown): Promise<AppendResult | null> {
    const { reads, log } = this.dependencies;
    const { stream } = append;
    try {
      // The last revision is read first. If it were read second, this append could be written between the two reads. Its
      // events would then look like those of another writer.
      const last = await reads.lastOf(stream);
      const found = await this.findAppended(append);
      log.warn(
        { stream, reason: reasonOf(error), found: found ? 'appended' : 'not there' },
        'the response to an append was lost; its outcome was read from the stream',
      );
      if (found) return found;
      return last && last.revision >= firstRevisionOf(append) ? { kind: 'conflict', actual: last.revision } : null;
    } catch {
      throw outcomeUnknown(stream, error);
    }
  }

  /** Returns the result of an append if the stream has exactly these events at these revisions, and null otherwise. */
  private async findAppended(append: Append): Promise<AppendResult | null> {
    const { stream, events } = append;
    const found = await this.dependencies.reads.stream(stream, firstRevisionOf(append), events.length);
    const last = found.at(-1);
    if (!last || found.length !== events.length || found.some(({ id }, index) => id !== events[index]?.id)) return null;
    return { kind: 'appended', revision: last.revision, position: last.position };
  }
}

const firstRevisionOf = ({ expected }: Append): number => (expected === 'none' ? 0 : expected + 1);
const lastRevisionOf = (append: Append): number => firstRevisionOf(append) + append.events.length - 1;

const outcomeUnknown = (stream: string, error: unknown): StoreUnavailable =>
  new StoreUnavailable(
    `it is unknown whether EventStoreDB wrote the events to ${stream} (${reasonOf(error)}); retry with the same events: they are written once`,
    { cause: error },
  );
