import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { contracts, tellBy } from '../../libs/contracts/contracts.js';
import { DOMAIN_EVENTS, type DomainEvent } from '../../libs/domain/events.js';
import { recorded } from '../../libs/eventsourcing/testing/recorded.js';
import { paymentId, samples } from './events.samples.js';

type Declaration = { readonly category: string };

const FOLDER = new URL('messages/', import.meta.url);
const declarations: Readonly<Record<string, Declaration>> = DOMAIN_EVENTS;
const tell = tellBy(contracts);

/** An event type's message as it goes out today; every stream has the same id, so that it is the same in every run. */
const today = (type: string): unknown => {
  const event = { type, data: samples[type as DomainEvent['type']].complete } as DomainEvent;
  const [message] = recorded([event], `${declarations[type]?.category ?? ''}-${paymentId}`).map(tell);
  return message && { ...message, data: JSON.parse(message.data) as unknown };
};

const golden = (type: string): unknown => JSON.parse(readFileSync(new URL(`${type}.json`, FOLDER), 'utf8'));
const types = Object.keys(declarations);

// A difference here is a difference to every reader of the topics: what is told may be added to, and then the file is
// changed with it; what is taken away or changed needs a topic of the next version beside this one.
describe('the golden message', () => {
  it.each(types)('of %s is what goes out', (type) => expect(today(type)).toEqual(golden(type)));

  it('is there for every event type, and for no other', () =>
    expect(readdirSync(FOLDER).sort()).toEqual(types.map((type) => `${type}.json`).sort()));

  it.each(types)('of %s holds nothing personal, and no reference of the gateway', (type) =>
    expect(JSON.stringify(golden(type))).not.toMatch(/\$sealed|alice|ref_0190f5de|4242|6789/),
  );
});
