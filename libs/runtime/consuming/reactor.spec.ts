import { describe, expect, it } from '@jest/globals';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { CommandContext, Message } from '../../eventsourcing/message.js';
import type { Process } from '../../eventsourcing/process.js';
import { decodeTestEvent, trustingCodec, createTestLog } from '../following/following.fixtures.js';
import { recordSpans } from '../../eventsourcing/testing/recorded-spans.js';
import { createReactor, REACTOR } from './reactor.js';

describe('the reactor', () => {
  const { store, add } = createTestLog();
  add('pet-1:PetListed');
  const reacted: string[] = [];
  const processes = ['PetListed', 'PetRetired'].map((type) => ({
    name: `after ${type}`,
    on: { [type]: ({ meta }: { meta: { stream: string } }) => (reacted.push(`${type} ${meta.stream}`), []) },
  })) as unknown as readonly Process[];
  const codec = { ...trustingCodec, decode: (event: StoredEvent) => decodeTestEvent(event) };
  const listing = [
    { name: 'follows', on: { PetListed: () => [{ type: 'Ask', data: null, otherwise: { type: 'AskInstead', data: null } }] } },
  ] as unknown as readonly Process[];
  const executed: [type: string, context: CommandContext][] = [];
  let outcome: { readonly rejected: string } | null = null;
  const execute = async ({ type }: Message, context: CommandContext) => (executed.push([type, context]), outcome);
  const reactor = createReactor([...processes, ...listing], { store: store as EventStore, codec, execute });
  const message = (type: string, revision = 0) => ({ stream: 'pet-1', revision, type, key: 'pet-1', tenant: 'shared' });

  it('reacts to the event that the message points to', async () => {
    await reactor.handle(message('PetListed'));
    expect(reacted.splice(0)).toEqual(['PetListed pet-1']);
    expect(executed.splice(0)).toMatchObject([['Ask', { tenant: 'shared', causationId: 'event-1' }]]);
  });

  /** Proves contract 43.8. */
  it('passes an event that operators have skipped, also if the message is wrong', async () => {
    const skippedRevisions = (name: string, stream: string) => (name === REACTOR && stream === 'pet-1' ? [7] : []);
    const skipping = createReactor(listing, { store: store as EventStore, codec: { ...codec, skippedRevisions }, execute });
    await skipping.handle(message('PetListed', 7));
    expect(executed).toEqual([]);
    await skipping.handle(message('PetListed'));
    expect(executed.splice(0)).toHaveLength(1);
  });

  it('continues the trace of the event, also if the message names another trace (contract 25.8)', async () => {
    const tracing = recordSpans();
    const ofEvent = '00-000000000000000000000000000000aa-00000000000000bb-01';
    const decode = (event: StoredEvent) => {
      const decoded = decodeTestEvent(event);
      return { ...decoded, meta: { ...decoded.meta, traceparent: ofEvent } };
    };
    const traced = createReactor(listing, { store: store as EventStore, codec: { ...codec, decode }, execute, tracing });
    await traced.handle({ ...message('PetListed'), traceparent: ofEvent.replace('aa', 'ee') });
    expect(tracing.spans).toMatchObject([{ name: 'consume PetListed', kind: 'consumer', parent: ofEvent, end: {} }]);
    expect(executed.splice(0)).toMatchObject([['Ask', { traceparent: tracing.spans[0]?.traceparent }]]);
  });

  it('executes the alternative when the first command is rejected', async () => {
    outcome = { rejected: 'pet_not_found' };
    await reactor.handle(message('PetListed'));
    expect(executed.splice(0).map(([type]) => type)).toEqual(['Ask', 'AskInstead']);
    outcome = null;
    reacted.splice(0);
  });

  it('rejects when a command gave up after repeated conflicts, so that the message is delivered again', async () => {
    outcome = { rejected: 'contended' };
    await expect(reactor.handle(message('PetListed'))).rejects.toThrow('Ask gave up after repeated conflicts');
    outcome = null;
    reacted.splice(0);
  });

  it('rejects a message with another type than the recorded event', async () => {
    await expect(reactor.handle(message('PetRetired'))).rejects.toThrow('event 0 of pet-1 is a PetListed, but the message says PetRetired');
    expect(reacted).toEqual([]);
  });

  it('rejects a message whose event was not recorded', async () => {
    await expect(reactor.handle(message('PetListed', 1))).rejects.toThrow('no event 1 in pet-1');
  });
});
