import * as declared from '../../libs/application/aggregates.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import type { Message } from '../../libs/eventsourcing/message.js';
import type { Aggregate } from '../../libs/eventsourcing/streams/aggregate.js';
import { samples } from './events.samples.js';
import { goldenChange, type GoldenChange } from './golden-files.js';

type AnyAggregate = Aggregate<unknown, Message, Message, string>;

export const aggregates = Object.values(declared) as unknown as readonly AnyAggregate[];

const categories: Readonly<Record<string, { readonly category: string }>> = DOMAIN_EVENTS;

/** Folds a sample of each event of an aggregate. Returns the state after each of them. */
export const statesOf = ({ category, decider }: AnyAggregate): Readonly<Record<string, unknown>> => {
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

const REMEDY = 'Raise its stateVersion in libs/application/aggregates.ts, so that no snapshot of the older shape is used.';

/**
 * Compares the states of an aggregate with their golden file. The name of the file has the version of the aggregate's snapshots, which
 * are its stateVersion and the version of its read model (libs/eventsourcing/streams/snapshots.ts). So a new member of a state is
 * accepted only with a new version: the decider would read the member from a snapshot of the older shape, which lacks it.
 */
export const stateChange = (aggregate: AnyAggregate): GoldenChange | null => {
  const { category, stateVersion, projection } = aggregate;
  const file = `states/${category}.v${String(stateVersion)}.${projection?.version ?? 0}.json`;
  const change = goldenChange(file, statesOf(aggregate), REMEDY);
  if (change === null) return null;
  // A path without a dot is the first state after a new type of event.
  const members = change.additions.filter((path) => path.includes('.'));
  return { ...change, breaks: [...change.breaks, ...members.map((path) => `${path} is new. ${REMEDY}`)] };
};

/** Returns the changes of the states of all aggregates. */
export const stateChanges = (): readonly GoldenChange[] => aggregates.flatMap((aggregate) => stateChange(aggregate) ?? []);
