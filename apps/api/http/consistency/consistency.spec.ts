import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  NO_DECISIONS,
  advanceBy,
  memoryDocuments,
  advanceUntil as untilOn,
  createTestLog,
} from '../../../../libs/runtime/following/following.fixtures.js';
import { yieldToEventLoop } from '../../../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import type { Collection, Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { AppendResult, EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { Projection } from '../../../../libs/eventsourcing/projection.js';
import { manualClock, type ManualClock } from '../../../../libs/eventsourcing/testing/manual-clock.js';
import { projections } from '../../../../libs/projections/projections.js';
import { ordersProjection } from '../../../../libs/projections/orders.projection.js';
import { petsProjection } from '../../../../libs/projections/pets.projection.js';
import { createConsistency, type Consistency } from './consistency.js';
import type { Problem } from '../problems/problem.js';

const WRITE_WAIT = 500;

/** A second read model of pets, which comes after the first in the list of projections. */
const petNames: Collection = { name: 'pet_names', version: 1, fields: {}, indexes: [], cells: [] };
const secondProjection: Projection = { ...(petsProjection as unknown as Projection), name: 'pet-names', collection: petNames };

describe('read-your-writes consistency', () => {
  let clock: ManualClock;
  let memory: ReturnType<typeof memoryDocuments>;
  let consistency: Consistency;
  let appended: AppendResult;

  const open = (writeWaitMilliseconds = WRITE_WAIT): Consistency => {
    const log = createTestLog();
    log.add('pet-1', 'order-1', 'pet-1');
    const store: EventStore = { ...log.store, append: async () => appended, readAll: async () => [] };
    const listed = [...projections, secondProjection];
    return createConsistency({
      decisions: NO_DECISIONS,
      store,
      head: async () => 12,
      documents: memory.documents,
      projections: listed,
      clock,
      writeWaitMilliseconds,
    });
  };

  beforeEach(() => {
    clock = manualClock();
    memory = memoryDocuments();
    consistency = open();
  });

  /** `after` is the time from the request to its response in milliseconds. */
  type RequestState = { status: 'running' | 'done' | Problem; readonly headers: Record<string, unknown>; after: number };

  /** Handles a request like the service, including the wait before the response is sent. */
  const request = (
    handle: (documents: Documents, store: EventStore, reply: FastifyReply) => Promise<unknown>,
    token?: unknown,
    isWrite = false,
  ): RequestState => {
    const begun = clock.now().getTime();
    const state: RequestState = { status: 'running', headers: {}, after: 0 };
    const incoming = { headers: token === undefined ? {} : { 'consistency-token': token } } as unknown as FastifyRequest;
    const reply = {
      header: (name: string, value: unknown) => (state.headers[name] = value),
      hasHeader: (name: string) => name in state.headers,
    } as unknown as FastifyReply;
    const ended = (status: RequestState['status']): void => void Object.assign(state, { status, after: clock.now().getTime() - begun });
    const whole = async (): Promise<void> => {
      await new Promise<void>((resolve, reject) =>
        consistency.begin(incoming, reply, (problem?: Error) => {
          if (problem) return reject(problem);
          handle(consistency.documents, consistency.store, reply).then(() => resolve(), reject);
        }),
      );
      await consistency.beforeSending(incoming, reply, isWrite);
    };
    whole().then(
      () => ended('done'),
      (problem: Problem) => ended(problem),
    );
    return state;
  };
  const appends = (stream: string, position: number) => async (_: Documents, store: EventStore) => {
    appended = { kind: 'appended', revision: 0, position };
    await store.append(stream, 'none', []);
  };
  const reads = (documents: Documents) => documents.get(petsProjection.collection, '1');
  const VERSIONS = { pets: petsProjection.version, orders: ordersProjection.version, pet_names: petNames.version };
  const setCheckpoint = (name: keyof typeof VERSIONS, position: number): void =>
    void memory.checkpoints.set(`${name}_v${VERSIONS[name]}`, position);
  const finished = (state: RequestState) => untilOn(clock, 'the response', () => state.status !== 'running');

  describe('a write', () => {
    it('waits for its read models, and gets a token with the position of each category', async () => {
      const write = request(async (documents, store) => {
        await appends('pet-1', 7)(documents, store);
        await appends('order-1', 9)(documents, store);
        await appends('pet-1', 8)(documents, store);
      });
      await advanceBy(clock, 100);
      setCheckpoint('pets', 8);
      await advanceBy(clock, 100);
      expect(write.status).toBe('running');
      setCheckpoint('orders', 9);
      await finished(write);
      expect(write).toMatchObject({ status: 'done', headers: { 'consistency-token': 'pet=8.order=9' } });
      expect(write.after).toBeLessThan(WRITE_WAIT);
    });

    it('waits only for the first read model of its category', async () => {
      const write = request(appends('pet-1', 7));
      setCheckpoint('pet_names', 7);
      await advanceBy(clock, 100);
      expect(write.status).toBe('running');
      setCheckpoint('pets', 7);
      await finished(write);
      expect(write).toMatchObject({ status: 'done', headers: { 'consistency-token': 'pet=7' } });
      expect(write.after).toBeLessThan(WRITE_WAIT);
    });

    it('gets the token of the original request if it is a replay', async () => {
      setCheckpoint('pets', 3);
      setCheckpoint('orders', 2);
      const replay = request(async (_, store, reply) => {
        await store.readStream('pet-1');
        await store.readStream('order-1');
        void reply.header('idempotent-replayed', 'true');
      });
      await finished(replay);
      expect(replay.headers).toMatchObject({ 'consistency-token': 'pet=3.order=2' });
    });

    it('gets a token that names what a background process has appended for it', async () => {
      const write = request(async (documents, store) => {
        await appends('pet-1', 7)(documents, store);
        await store.readStream('order-1');
      });
      await finished(write);
      expect(write.headers).toEqual({ 'consistency-token': 'pet=7.order=2' });
    });

    it('gets a token for the end of the log if it has changed nothing, and does not wait', async () => {
      const repeated = request(async (_, store) => void (await store.readStream('pet-1')), undefined, true);
      await yieldToEventLoop();
      expect(repeated).toMatchObject({ status: 'done', after: 0, headers: { 'consistency-token': expect.stringMatching(/\bpet=12\b/) } });
    });

    it('gets a token that also names what a replay has appended, because the original request was interrupted', async () => {
      const replay = request(async (documents, store, reply) => {
        await store.readStream('pet-1');
        await appends('order-1', 9)(documents, store);
        void reply.header('idempotent-replayed', 'true');
      });
      await finished(replay);
      expect(replay.headers).toMatchObject({ 'consistency-token': 'order=9.pet=3' });
    });

    it('is answered after the maximum time even if its read models lag', async () => {
      const write = request(appends('pet-1', 7));
      await yieldToEventLoop();
      await advanceBy(clock, 1_000);
      expect(write).toMatchObject({ status: 'done', after: WRITE_WAIT, headers: { 'consistency-token': 'pet=7' } });
    });

    it('is answered after the maximum time even if checkpoints cannot be read', async () => {
      memory.hooks.before = () => new Promise(() => undefined);
      const read = request(reads, 'pet=3');
      await yieldToEventLoop();
      await advanceBy(clock, 100);
      const write = request(appends('pet-1', 7));
      await yieldToEventLoop();
      await advanceBy(clock, 2_000);
      expect(write).toMatchObject({ status: 'done', after: WRITE_WAIT });
      expect(read).toMatchObject({ status: { status: 503 }, after: 2_000 });
    });

    it('does not wait if the maximum time is 0', async () => {
      consistency = open(0);
      const write = request(appends('pet-1', 7));
      await yieldToEventLoop();
      expect(write).toMatchObject({ status: 'done', after: 0, headers: { 'consistency-token': 'pet=7' } });
    });

    it('does not wait for a category without a read model', async () => {
      const write = request(appends('username-1', 7));
      await yieldToEventLoop();
      expect(write).toMatchObject({ status: 'done', after: 0 });
    });

    it('gets no token if it appended nothing', async () => {
      const write = request(async (_, store) => {
        appended = { kind: 'conflict', actual: 3 };
        await store.append('pet-1', 2, []);
      });
      await yieldToEventLoop();
      expect(write).toMatchObject({ status: 'done', headers: {} });
    });

    it('gets a token without the positions of concurrent requests', async () => {
      const [one, other] = [request(appends('pet-1', 7)), request(reads)];
      await advanceBy(clock, 1_000);
      expect([one.headers, other.headers]).toEqual([{ 'consistency-token': 'pet=7' }, {}]);
    });
  });

  describe('a read', () => {
    it('does not wait without a token', async () => {
      const read = request(reads);
      await yieldToEventLoop();
      expect(read).toMatchObject({ status: 'done', after: 0 });
    });

    it('waits until its read model has reached the position in its token', async () => {
      setCheckpoint('pets', 6);
      const read = request(reads, 'pet=7.order=900');
      await advanceBy(clock, 300);
      expect(read.status).toBe('running');
      setCheckpoint('pets', 7);
      await finished(read);
      expect(read.status).toBe('done');
    });

    it.each([
      ['pets', 'pet_names', petsProjection.collection],
      ['pet_names', 'pets', petNames],
    ] as const)('of %s waits for this read model, and not for %s, which has the same category', async (own, other, collection) => {
      setCheckpoint(other, 7);
      const read = request((documents) => documents.get(collection, '1'), 'pet=7');
      await advanceBy(clock, 300);
      expect(read.status).toBe('running');
      setCheckpoint(own, 7);
      await finished(read);
      expect(read.status).toBe('done');
    });

    it('does not wait if its token has no position for the category of its read model', async () => {
      const read = request(reads, 'order=900.unknown=1');
      await yieldToEventLoop();
      expect(read).toMatchObject({ status: 'done', after: 0 });
    });

    it('is answered with 503, the lag and Retry-After when the maximum time is over', async () => {
      setCheckpoint('pets', 6);
      const read = request(reads, 'pet=10');
      await finished(read);
      expect(read.status).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1' },
        detail: expect.stringContaining('4 positions behind'),
      });
      expect(read.after).toBeLessThanOrEqual(2_100);
    });

    it.each([
      ['texts', (documents: Documents) => documents.texts(petsProjection.collection, { where: {}, sort: [], limit: 1, offset: 0 })],
      ['find', (documents: Documents) => documents.find(petsProjection.collection, { where: {}, sort: [], limit: 1, offset: 0 })],
      ['count', (documents: Documents) => documents.count(petsProjection.collection, {})],
      ['sum', (documents: Documents) => documents.sum(petsProjection.collection, {})],
    ])('waits before it calls %s of the document store', async (_, reading) => {
      const read = request(reading, 'pet=10');
      await finished(read);
      expect(read.status).toMatchObject({ status: 503 });
    });
  });

  it.each([
    '',
    'pet',
    'pet=',
    'pet=x',
    'pet=-1',
    'Pet=1',
    'pet=1;order=2',
    'pet=1.',
    'pet=12345678901234567',
    'x'.repeat(300),
    ['pet=1', 'pet=2'],
  ])('rejects the token %j with an error that names the header', async (token) => {
    const read = request(reads, token);
    await yieldToEventLoop();
    expect(read.status).toMatchObject({ status: 400, errors: [{ field: 'Consistency-Token', code: 'INVALID_FORMAT' }] });
  });
});
