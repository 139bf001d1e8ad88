import { describe, expect, it } from '@jest/globals';
import * as declared from '../../libs/application/aggregates.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import type { Aggregate } from '../../libs/eventsourcing/streams/aggregate.js';
import type { Message } from '../../libs/eventsourcing/message.js';
import { samples } from './events.samples.js';
import { goldenObject } from './golden-files.js';

const aggregates = Object.values(declared) as unknown as readonly Aggregate<unknown, Message, Message, string>[];
const categories: Readonly<Record<string, { readonly category: string }>> = DOMAIN_EVENTS;

/** Folds a sample of each event of an aggregate, with the state after each of them. */
const statesOf = ({ category, decider }: (typeof aggregates)[number]): unknown => {
  const types = Object.keys(samples).filter((type) => categories[type]?.category === category);
  let state = decider.initial;
  const states = types.map((type, revision) => {
    const event = { type, data: samples[type as keyof typeof samples].complete };
    const meta = { stream: `${category}-1`, revision, tenant: 'shared', time: '2026-01-02T03:04:05.000Z', actor: 'ann' };
    state = decider.evolve(state, event, meta);
    return [type, state] as const;
  });
  return Object.fromEntries(states);
};

/** Snapshots contain states as JSON, see `stateVersion` in libs/eventsourcing/handle.ts. */
describe.each(aggregates.map((aggregate) => [aggregate.category, aggregate] as const))('the state of a %s', (category, aggregate) => {
  it('has the shape of its version: raise stateVersion if the shape changes, so that no older snapshot is used', () => {
    const states = JSON.parse(JSON.stringify(statesOf(aggregate))) as Readonly<Record<string, unknown>>;
    expect(states).toEqual(goldenObject(`states/${category}.v${String(aggregate.stateVersion)}.json`, states));
  });

  it('is the same after it was stored as JSON', () => {
    const states = statesOf(aggregate);
    expect(JSON.parse(JSON.stringify(states))).toEqual(states);
  });
});
