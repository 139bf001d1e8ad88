import { describe, expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import type { DomainEvent } from '../domain/events.js';
import type { EventStore, StoredEvent } from '../eventsourcing/event-store.port.js';
import type { EventCodec } from '../eventsourcing/handle.js';
import type { Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from '../processes/process-command.js';
import { decodeWritten, writtenLog } from './following.fixtures.js';
import { createReactor } from './reactor.js';

describe('what follows from a message', () => {
  const { store, add } = writtenLog();
  add('pet-1:PetListed');
  const reacted: string[] = [];
  const listening = ['PetListed', 'PetRetired'].map((type) => ({
    name: `after ${type}`,
    on: { [type]: ({ meta }: { meta: { stream: string } }) => (reacted.push(`${type} ${meta.stream}`), []) },
  })) as unknown as readonly Process<DomainEvent, ProcessCommand>[];
  const codec = { decode: (event: StoredEvent) => decodeWritten(event) } as EventCodec;
  const reactor = createReactor(listening, { store: store as EventStore, codec, bus: {} as CommandBus });
  const message = (type: string, revision = 0) => ({ stream: 'pet-1', revision, type, key: 'pet-1', tenant: 'shared' });

  it('is what follows from the event that it points to', async () => {
    await reactor.handle(message('PetListed'));
    expect(reacted.splice(0)).toEqual(['PetListed pet-1']);
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
