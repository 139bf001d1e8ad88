import { SHARED_POOL, type EventMeta, type Message, type RecordedEvent } from '../message.js';

/** A past event in a specification. Metadata that it omits gets a default. */
export type GivenEvent<E extends Message = Message> = E & { readonly meta?: Partial<EventMeta> };

/** The default time of events in a specification. */
export const TEST_TIME = '2026-01-02T03:04:05.000Z';

/**
 * Returns the events as if they were recorded in one stream: with revisions from 0 on, in the shared pool, at TEST_TIME.
 * The `meta` of an event overrides these defaults.
 */
export const recorded = <E extends Message>(events: readonly GivenEvent<E>[], stream = 'test-1'): readonly RecordedEvent<E>[] =>
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
