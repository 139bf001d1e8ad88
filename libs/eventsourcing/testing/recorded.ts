import { SHARED_POOL, type EventMeta, type Message, type RecordedEvent } from '../message.js';

/** An event of the past as a specification tells it: what is not said of its metadata is the same for all. */
export type Told<E extends Message = Message> = E & { readonly meta?: Partial<EventMeta> };

/** When everything in a specification happens that does not say otherwise. */
export const TEST_TIME = '2026-01-02T03:04:05.000Z';

/** The events as one stream would give them back: revisions from 0 on, in the shared pool, at TEST_TIME, unless told otherwise. */
export const recorded = <E extends Message>(events: readonly Told<E>[], stream = 'test-1'): readonly RecordedEvent<E>[] =>
  events.map((event, revision) => ({
    ...event,
    id: `event-${revision}`,
    position: revision + 1,
    meta: {
      stream,
      revision,
      tenant: SHARED_POOL,
      time: TEST_TIME,
      actor: 'anonymous',
      correlationId: 'request-1',
      causationId: 'request-1',
      ...event.meta,
    },
  }));
