import { describe, expect, it } from '@jest/globals';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { CommandContext, Message } from '../../eventsourcing/message.js';
import type { Process } from '../../eventsourcing/process.js';
import { decodeWritten, unaltered, writtenLog } from '../following/following.fixtures.js';
import { createReactor } from './reactor.js';

describe('what follows from a message', () => {
  const { store, add } = writtenLog();
  add('pet-1:PetListed');
  const reacted: string[] = [];
  const listening = ['PetListed', 'PetRetired'].map((type) => ({
    name: `after ${type}`,
    on: { [type]: ({ meta }: { meta: { stream: string } }) => (reacted.push(`${type} ${meta.stream}`), []) },
  })) as unknown as readonly Process[];
  const codec = { ...unaltered, decode: (event: StoredEvent) => decodeWritten(event) };
  const listing = [
    { name: 'follows', on: { PetListed: () => [{ type: 'Ask', data: null, otherwise: { type: 'AskInstead', data: null } }] } },
  ] as unknown as readonly Process[];
  const executed: [type: string, context: CommandContext][] = [];
  let outcome: { readonly rejected: string } | null = null;
  const execute = async ({ type }: Message, context: CommandContext) => (executed.push([type, context]), outcome);
  const reactor = createReactor([...listening, ...listing], { store: store as EventStore, codec, execute });
  const message = (type: string, revision = 0) => ({ stream: 'pet-1', revision, type, key: 'pet-1', tenant: 'shared' });

  it('is what follows from the event that it points to', async () => {
    await reactor.handle(message('PetListed'));
    expect(reacted.splice(0)).toEqual(['PetListed pet-1']);
    expect(executed.splice(0)).toMatchObject([['Ask', { tenant: 'shared', causationId: 'event-1' }]]);
  });

  it('is what is named for a refusal, where the first command is refused', async () => {
    outcome = { rejected: 'pet_not_found' };
    await reactor.handle(message('PetListed'));
    expect(executed.splice(0).map(([type]) => type)).toEqual(['Ask', 'AskInstead']);
    outcome = null;
    reacted.splice(0);
  });

  it('comes again where a command met contention', async () => {
    outcome = { rejected: 'contended' };
    await expect(reactor.handle(message('PetListed'))).rejects.toThrow('Ask found no quiet moment');
    outcome = null;
    reacted.splice(0);
  });

  it('is nothing where it says another type than was recorded: only the log says what happened', async () => {
    await expect(reactor.handle(message('PetRetired'))).rejects.toThrow(
      'event 0 of pet-1 is a PetListed, and no PetRetired as the message says',
    );
    expect(reacted).toEqual([]);
  });

  it('is nothing where no such event was recorded', async () => {
    await expect(reactor.handle(message('PetListed', 1))).rejects.toThrow('no event 1 in pet-1');
  });
});
