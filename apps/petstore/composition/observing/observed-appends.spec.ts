import { describe, expect, it } from '@jest/globals';
import type { AppendResult, EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import { StoreUnavailable } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { Metrics } from '../../../../libs/ports/metrics.port.js';
import { recordSpans } from '../../../../libs/eventsourcing/testing/recorded-spans.js';
import { observeAppends } from './observed-appends.js';

/**
 * Appends to an observed store whose `append` is `result`. Returns the counted outcomes, and what the observed append returned
 * or threw.
 */
const appendTo = async (
  result: () => Promise<AppendResult>,
): Promise<{ readonly counted: readonly string[]; readonly returned: unknown }> => {
  const counted: string[] = [];
  const store = { append: result } as unknown as EventStore;
  const metrics: Pick<Metrics, 'appendStarted'> = { appendStarted: (category) => (outcome) => void counted.push(`${category} ${outcome}`) };
  const observed = observeAppends(store, { metrics: metrics as Metrics });
  const returned = await observed.append('pet-0190', 'none', []).catch((error: unknown) => error);
  return { counted, returned };
};

describe('the trace of an append', () => {
  const TRACEPARENT = '00-000000000000000000000000000000aa-00000000000000bb-01';
  const event = (metadata: string) => ({ id: 'e1', type: 'PetListed', data: '{}', metadata });
  const append = async (metadata: string, result: Promise<AppendResult>) => {
    const tracing = recordSpans();
    const store = observeAppends({ append: () => result } as unknown as EventStore, { tracing });
    await store.append('pet-0190', 'none', [event(metadata), event('{}')]).catch(() => undefined);
    return tracing.spans;
  };
  const traced = `{"time":"t","traceparent":"${TRACEPARENT}"}`;

  it("has a child span of the command's span, which names the category but not the id of the aggregate (contract 25.8)", async () =>
    expect(await append(traced, Promise.resolve({ kind: 'appended', revision: 1, position: 7 }))).toEqual([
      {
        name: 'append pet',
        kind: 'client',
        attributes: { 'petstore.category': 'pet', 'petstore.events': 2 },
        parent: TRACEPARENT,
        traceparent: expect.any(String),
        end: { attributes: { 'petstore.outcome': 'appended' } },
      },
    ]));

  it('has a failed span if the append fails', async () =>
    expect(await append(traced, Promise.reject(new Error('full')))).toMatchObject([{ end: { failed: true } }]));

  it('has no span if its command has no span', async () =>
    expect(await append('{"time":"t"}', Promise.resolve({ kind: 'appended', revision: 1, position: 7 }))).toEqual([]));
});

describe('an append', () => {
  const appended = { kind: 'appended', revision: 0, position: 1 } as const;
  const conflict = { kind: 'conflict', actual: 3 } as const;
  const failure = new StoreUnavailable('the disk is full');

  it.each<[string, AppendResult | Error, string]>([
    ['appended', appended, 'pet appended'],
    ['a conflict', conflict, 'pet conflict'],
    ['failed', failure, 'pet failed'],
  ])('is counted as %s, and its result is unchanged', async (_, result, expected) => {
    const { counted, returned } = await appendTo(async () => {
      if (result instanceof Error) throw result;
      return result;
    });
    expect(counted).toEqual([expected]);
    expect(returned).toBe(result);
  });
});
