import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Documents, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { EventBatch, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { unaltered, until } from '../../runtime/following/following.fixtures.js';
import { turn } from '../../eventsourcing/turn.js';
import { followEndpoints } from './endpoint-lookup.js';

const TERMS = { url: 'https://shop.example.com/hook', events: ['pet.adopted'], ordered: false };

describe('endpoints that follow the log', () => {
  let clock: ManualClock;
  let log: RecordedEvent[];
  let stored: readonly StoredDocument[];
  let checkpoint: number;
  let failing: boolean;
  let errors: unknown[];
  let wake: () => void;
  let known: ReturnType<typeof followEndpoints>;

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
      if (failing) throw new Error('the log is away');
      const events = log.slice(at).map(storedOf);
      at += events.length;
      yield { events, caughtUp: true };
      if (at === log.length) await new Promise<void>((resolve) => ((wake = resolve), signal.addEventListener('abort', () => resolve())));
    }
  }
  const decode = ({ stream, revision, position }: StoredEvent): RecordedEvent => {
    const event = log[position - 1];
    if (!event || event.type === 'Unreadable')
      throw new BrokenHistory({ stream, revision, kind: 'unreadable', reason: 'it cannot be read', tenant: null });
    return event;
  };
  const documents = {
    checkpoint: async () => checkpoint,
    find: async () => stored,
  } as unknown as Documents;

  beforeEach(() => {
    clock = manualClock();
    [log, stored, checkpoint, failing, errors, wake] = [[], [], 0, false, [], () => undefined];
  });
  afterEach(() => known.stop());

  const follow = (): void => {
    known = followEndpoints({
      store: { subscribe, readStream: async () => [] },
      documents,
      codec: { ...unaltered, decode },
      clock,
      onError: (error) => errors.push(error),
    });
  };
  const settled = async <T>(asked: Promise<T>): Promise<T | Error> => {
    let answer: T | Error | undefined;
    asked.then(
      (value) => (answer = value),
      (error: Error) => (answer = error),
    );
    await until(clock, 'an answer', () => answer !== undefined);
    return answer as T | Error;
  };
  const idsOf = async (tenant: string, position: number): Promise<unknown> => {
    const answer = await settled(known.of(tenant, position));
    return answer instanceof Error ? answer.message : answer.map(({ id }) => id);
  };

  it('are known as of a position as soon as the log was followed so far', async () => {
    add('webhook-a', 'WebhookRegistered', TERMS);
    add('pet-1', 'PetListed', {});
    follow();
    expect(await idsOf('shared', 2)).toEqual(['a']);
    add('webhook-b', 'WebhookRegistered', TERMS);
    add('webhook-a', 'WebhookRemoved', {});
    expect(await idsOf('shared', 4)).toEqual(['b']);
  });

  it('go on from where the read model stands', async () => {
    add('webhook-a', 'WebhookRegistered', TERMS);
    add('webhook-a', 'WebhookRevised', { ...TERMS, url: 'https://new.example.com/' });
    follow();
    await idsOf('shared', 2);
    await known.stop();
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

  it('are their tenant’s', async () => {
    add('webhook-a', 'WebhookRegistered', TERMS, 'one');
    add('webhook-b', 'WebhookRegistered', TERMS, 'two');
    follow();
    expect([await idsOf('one', 2), await idsOf('two', 2), await idsOf('shared', 2)]).toEqual([['a'], ['b'], []]);
  });

  it('are not said to be known before they are', async () => {
    follow();
    expect(await idsOf('shared', 1)).toContain('not yet known as of position 1');
  });

  it('are followed again after the log was away', async () => {
    failing = true;
    follow();
    add('webhook-a', 'WebhookRegistered', TERMS);
    await until(clock, 'a failure', () => errors.length > 0);
    failing = false;
    expect(await idsOf('shared', 1)).toEqual(['a']);
    expect(errors).toHaveLength(1);
  });

  it('are none any more where their stream is broken: the others are as they were', async () => {
    add('webhook-a', 'WebhookRegistered', TERMS);
    add('webhook-b', 'WebhookRegistered', TERMS);
    add('webhook-a', 'Unreadable', {});
    follow();
    await turn();
    expect(await idsOf('shared', 3)).toEqual(['b']);
    expect(errors).toEqual([]);
  });
});
