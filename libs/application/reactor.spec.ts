import { describe, expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import type { DomainEvent } from '../domain/events.js';
import type { EventStore, StoredEvent } from '../eventsourcing/event-store.port.js';
import { manualClock } from '../eventsourcing/testing/manual-clock.js';
import type { Work, WorkQueue } from '../eventsourcing/work-queue.port.js';
import type { Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from '../processes/process-command.js';
import { decodeWritten, unaltered, writtenLog } from './following.fixtures.js';
import { createReactor } from './reactor.js';

describe('what follows from a message', () => {
  const { store, add } = writtenLog();
  add('pet-1:PetListed');
  const reacted: string[] = [];
  const listening = ['PetListed', 'PetRetired'].map((type) => ({
    name: `after ${type}`,
    on: { [type]: ({ meta }: { meta: { stream: string } }) => (reacted.push(`${type} ${meta.stream}`), []) },
  })) as unknown as readonly Process<DomainEvent, ProcessCommand>[];
  const codec = { ...unaltered, decode: (event: StoredEvent) => decodeWritten(event) };
  const charging = [
    { name: 'charges', on: { PaymentRequested: () => [{ type: 'ChargePayment', data: { paymentId: '1' } }] } },
  ] as unknown as readonly Process<DomainEvent, ProcessCommand>[];
  const enqueued: Work[] = [];
  const work = { enqueue: async (piece: Work) => enqueued.push(piece) > 0 } as unknown as WorkQueue;
  const reactor = createReactor([...listening, ...charging], {
    store: store as EventStore,
    codec,
    bus: {} as CommandBus,
    work,
    clock: manualClock(),
  });
  const message = (type: string, revision = 0) => ({ stream: 'pet-1', revision, type, key: 'pet-1', tenant: 'shared' });

  it('is what follows from the event that it points to', async () => {
    await reactor.handle(message('PetListed'));
    expect(reacted.splice(0)).toEqual(['PetListed pet-1']);
  });

  it('is work, the same each time, where it waits for the payment gateway', async () => {
    add('payment-1:PaymentRequested');
    const requested = { stream: 'payment-1', revision: 0, type: 'PaymentRequested', key: '1', tenant: 'shared' };
    for (let time = 0; time < 2; time++) await reactor.handle(requested);
    expect(enqueued).toMatchObject(Array(2).fill({ queue: 'gateway-calls', id: 'ChargePayment:1:event-2', lane: 'shared' }));
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
