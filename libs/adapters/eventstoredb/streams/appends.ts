import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { AppendResult, EncodedEvent, ExpectedRevision } from '../../../eventsourcing/ports/event-store.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { answerOf, type Answer } from './answers.js';
import type { Connection } from '../connection/connection.js';
import { failureOf, reasonOf, unavailable, type Failure } from '../connection/failures.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import { pause } from './pause.js';
import type { Reads } from './reads.js';

/** An append is sent at most so often; every time it is the very same events. */
const TRIES = 4;
/** The pause before it is sent again, in milliseconds; doubled each time. */
const FIRST_PAUSE = 25;

export type AppendParts = { readonly connection: Connection; readonly reads: Reads; readonly clock: Clock; readonly log: Log };

type Append = { readonly stream: string; readonly expected: ExpectedRevision; readonly events: readonly EncodedEvent[] };
/** What one sending of an append came to; without an answer, how it failed. */
type Failed = { readonly kind: Failure; readonly error: unknown };
type Sent = { readonly kind: 'answered'; readonly answer: Answer } | Failed;

/** Appends, and finds out what became of those whose answer was lost. */
export class Appends {
  constructor(private readonly parts: AppendParts) {}

  async append(append: Append): Promise<AppendResult> {
    const { stream, events } = append;
    if (events.length === 0) throw new RangeError('an append needs at least one event');
    let failed = null as Failed | null;
    for (let tries = 1; tries <= TRIES; tries++) {
      if (tries > 1) await pause(this.parts.clock, FIRST_PAUSE * 2 ** (tries - 2));
      const sent = await this.send(append);
      if (sent.kind !== 'answered') {
        // Once an answer was lost, no later refusal makes it certain that nothing was written.
        failed = failed?.kind === 'lost' ? failed : sent;
        if (sent.kind === 'refused' || sent.kind === 'impossible') break;
        if (sent.kind !== 'lost') continue;
      }
      const result = sent.kind === 'answered' ? await this.resultOf(append, sent.answer) : await this.foundOut(append, sent.error);
      if (result) return result;
    }
    throw failed?.kind === 'lost' ? unknown(stream, failed.error) : unavailable(failed?.error);
  }

  private async send({ stream, expected, events }: Append): Promise<Sent> {
    try {
      return { kind: 'answered', answer: answerOf(await this.parts.connection.append(stream, expected, events)) };
    } catch (error) {
      return { kind: failureOf(error), error };
    }
  }

  private async resultOf(append: Append, answer: Answer): Promise<AppendResult> {
    if (answer.kind === 'conflict') return this.refusedOrThere(append, answer.actual);
    const { revision, position } = answer;
    if (position !== null) return { kind: 'appended', revision, position };
    const [last] = await this.parts.reads.stream(append.stream, revision, 1);
    if (!last)
      throw new StoreUnavailable(`EventStoreDB does not show what was appended to ${append.stream}; ask again with the same events`);
    return { kind: 'appended', revision, position: last.position };
  }

  /** "The same event ids appended again at the same place answer as the first time." */
  private async refusedOrThere(append: Append, actual: ExpectedRevision): Promise<AppendResult> {
    const mayBeThere = actual !== 'none' && actual >= lastRevisionOf(append);
    return (mayBeThere ? await this.there(append) : null) ?? { kind: 'conflict', actual };
  }

  /**
   * The append was sent and its answer lost: what stands at its place in the stream says what became of it. Null when
   * nothing does, so that it may be sent again.
   */
  private async foundOut(append: Append, error: unknown): Promise<AppendResult | null> {
    const { reads, log } = this.parts;
    const { stream } = append;
    try {
      const there = await this.there(append);
      const last = there ? null : await reads.lastOf(stream);
      log.warn(
        { stream, reason: reasonOf(error), found: there ? 'appended' : 'not there' },
        'the answer to an append was lost; its place was read',
      );
      if (there) return there;
      return last && last.revision >= firstRevisionOf(append) ? { kind: 'conflict', actual: last.revision } : null;
    } catch {
      throw unknown(stream, error);
    }
  }

  private async there(append: Append): Promise<AppendResult | null> {
    const { stream, events } = append;
    const there = await this.parts.reads.stream(stream, firstRevisionOf(append), events.length);
    const last = there.at(-1);
    if (!last || there.length !== events.length || there.some(({ id }, index) => id !== events[index]?.id)) return null;
    return { kind: 'appended', revision: last.revision, position: last.position };
  }
}

const firstRevisionOf = ({ expected }: Append): number => (expected === 'none' ? 0 : expected + 1);
const lastRevisionOf = (append: Append): number => firstRevisionOf(append) + append.events.length - 1;

const unknown = (stream: string, error: unknown): StoreUnavailable =>
  new StoreUnavailable(
    `whether EventStoreDB wrote the events to ${stream} is unknown (${reasonOf(error)}); the same events appended again are written once`,
    { cause: error },
  );
