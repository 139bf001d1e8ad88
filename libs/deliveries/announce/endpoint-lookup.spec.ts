import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Documents, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { EventBatch, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { trustingCodec, advanceUntil } from '../../runtime/following/following.fixtures.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import type { OperatorState } from '../../runtime/operating/operator-state.js';
import { followEndpoints } from './endpoint-lookup.js';

const TERMS = { url: 'https://shop.example.com/hook', events: ['pet.adopted'], ordered: false };

describe('an endpoint lookup that follows the log', () => {
  let clock: ManualClock;
  let log: RecordedEvent[];
  let stored: readonly StoredDocument[];
  let checkpoint: number;
  let failing: boolean;
  let errors: unknown[];
  let wake: () => void;
  let lookup: ReturnType<typeof followEndpoints>;

  const add = (stream: string, type: string, data: unknown, tenant = 'shared'): void => {
    const revision = log.filter(({ meta }) => meta.stream === stream).length;
    const meta = { stream, revision, tenant, time: '2026-01-02T03:04:05.678Z', actor: 'test', correlationId: 'c', causationId: 'c' };
    log.push({ id: `event-${log.length + 1}`, position: log.length + 1, type, data, meta });
    wake();
  };
  const storedOf = ({ id, type, position, meta: { stream, revision } }: RecordedEvent): StoredEvent => ({
    ...{ id, type, stream, revision, position },
    ...{ data: '', metadata: '' },
  });
  async function* subscribe(after: number, signal: AbortSignal): AsyncGenerator<EventBatch> {
    for (let at = after; !signal.aborted;) {
      if (failing) throw new Error('the log is unavailable');
      const events = log.slice(at).map(storedOf);
      at += events.length;
      yield { events, caughtUp: true };
      if (at === log.length) await new Promise<void>((resolve) => ((wake = resolve), signal.addEventListener('abort', () => resolve())));
    }
  }
  let skipped: boolean;
  let refolds: OperatorState['refolds'];
  let decided: () => void | Promise<void>;
  const decisions = {
    current: () => ({ ...(refolds && { refolds }) }),
    onChange: (listener: typeof decided) => {
      decided = listener;
      return () => undefined;
    },
  };
  const decode = ({ stream, revision, position }: StoredEvent): RecordedEvent => {
    const event = log[position - 1];
    if (!event || event.type === 'Unreadable')
      throw new BrokenHistory({ stream, revision, kind: 'unreadable', reason: 'it cannot be read', tenant: null });
    return skipped && revision === 1 ? { ...event, meta: { ...event.meta, skippedBy: ['webhooks'] } } : event;
  };
  const documents = {
    checkpoint: async () => checkpoint,
    find: async () => stored,
  } as unknown as Documents;

  beforeEach(() => {
    clock = manualClock();
    [log, stored, checkpoint, failing, errors, wake] = [[], [], 0, false, [], () => undefined];
    [refolds, skipped] = [undefined, false];
  });
  afterEach(() => lookup.stop());

  const follow = (): void => {
    lookup = followEndpoints({
      store: { subscribe, readStream: async (stream) => log.filter(({ meta }) => meta.stream === stream).map(storedOf) },
      documents,
      codec: { ...trustingCodec, decode },
      decisions,
      clock,
      onError: (error) => errors.push(error),
    });
  };
  const settled = async <T>(promise: Promise<T>): Promise<T | Error> => {
    let result: T | Error | undefined;
    promise.then(
      (value) => (result = value),
      (error: Error) => (result = error),
    );
    await advanceUntil(clock, 'a result', () => result !== undefined);
    return result as T | Error;
  };
  const idsOf = async (tenant: string, position: number): Promise<unknown> => {
    const result = await settled(lookup.of(tenant, position));
    return result instanceof Error ? result.message : result.map(({ id }) => id);
  };

  it('returns the endpoints as of a position once it has read that far', async () => {
    add('webhook-a', 'WebhookRegistered', TERMS);
    add('pet-1', 'PetListed', {});
    follow();
    expect(await idsOf('shared', 2)).toEqual(['a']);
    add('webhook-b', 'WebhookRegistered', TERMS);
    add('webhook-a', 'WebhookRemoved', {});
    expect(await idsOf('shared', 4)).toEqual(['b']);
  });

  it('starts at the checkpoint of the read model', async () => {
    add('webhook-a', 'WebhookRegistered', TERMS);
    add('webhook-a', 'WebhookRevised', { ...TERMS, url: 'https://new.example.com/' });
    follow();
    await idsOf('shared', 2);
    await lookup.stop();
    checkpoint = 2;
    stored = [
      {
        key: 'k',
        json: JSON.stringify({ id: 'k', ...TERMS, status: 'enabled', createdAt: '', updatedAt: '' }),
        fields: { tenant: 'shared', status: 'enabled', createdAt: '', secret: 1, rotatedAt: null, enabledAt: '' },
        revision: 0,
      },
    ];
    follow();
    expect(await idsOf('shared', 2)).toEqual(['k']);
  });

  /** Proves contract 43.8. */
  it('folds an endpoint again when operators skip or unskip an event of it', async () => {
    for (const [type, data] of [
      ['WebhookRegistered', TERMS],
      ['WebhookRemoved', {}],
    ] as const)
      add('webhook-a', type, data);
    follow();
    expect(await idsOf('shared', 2)).toEqual([]);
    [refolds, skipped] = [{ webhooks: { 'webhook-a': 1 } }, true];
    await decided();
    expect(await idsOf('shared', 2)).toEqual(['a']);
    [refolds, skipped] = [{ webhooks: { 'webhook-a': 2 } }, false];
    add('pet-1', 'PetListed', {});
    expect([await idsOf('shared', 3), errors]).toEqual([[], []]);
  });

  it('returns the endpoints of one tenant only', async () => {
    add('webhook-a', 'WebhookRegistered', TERMS, 'one');
    add('webhook-b', 'WebhookRegistered', TERMS, 'two');
    follow();
    expect([await idsOf('one', 2), await idsOf('two', 2), await idsOf('shared', 2)]).toEqual([['a'], ['b'], []]);
  });

  it('rejects when it does not reach the position in time', async () => {
    follow();
    expect(await idsOf('shared', 1)).toContain('have not been read up to position 1');
  });

  it('resumes after an outage of the log', async () => {
    failing = true;
    follow();
    add('webhook-a', 'WebhookRegistered', TERMS);
    await advanceUntil(clock, 'a failure', () => errors.length > 0);
    failing = false;
    expect(await idsOf('shared', 1)).toEqual(['a']);
    expect(errors).toHaveLength(1);
  });

  it('drops an endpoint with a broken stream, and keeps the others', async () => {
    add('webhook-a', 'WebhookRegistered', TERMS);
    add('webhook-b', 'WebhookRegistered', TERMS);
    add('webhook-a', 'Unreadable', {});
    follow();
    await yieldToEventLoop();
    expect(await idsOf('shared', 3)).toEqual(['b']);
    expect(errors).toEqual([]);
  });
});
