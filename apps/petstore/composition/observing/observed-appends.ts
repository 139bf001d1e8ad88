import { categoryOf } from '../../../../libs/eventsourcing/message.js';
import type { EncodedEvent, EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { Span } from '../../../../libs/eventsourcing/ports/tracing.port.js';
import { traceparentIn } from '../../../../libs/runtime/codec/codec.js';
import type { Observers } from './observers.js';

/** Measures and traces the appends of a store. An append has a span only if its first event belongs to a trace. */
export const observeAppends = (store: EventStore, { metrics, tracing }: Observers): EventStore => {
  const startSpan = (category: string, events: readonly EncodedEvent[]): Span | null => {
    const parent = tracing && events[0] && traceparentIn(events[0]);
    if (!tracing || !parent) return null;
    const attributes = { 'petstore.category': category, 'petstore.events': events.length };
    return tracing.startSpan(parent, { name: `append ${category}`, kind: 'client', attributes });
  };
  return {
    async append(stream, expected, events) {
      const category = categoryOf(stream);
      const endMeasurement = metrics?.appendStarted(category);
      const span = startSpan(category, events);
      try {
        const result = await store.append(stream, expected, events);
        endMeasurement?.(result.kind);
        span?.end({ attributes: { 'petstore.outcome': result.kind } });
        return result;
      } catch (error) {
        endMeasurement?.('failed');
        span?.end({ failed: true });
        throw error;
      }
    },
    readStream: (...args) => store.readStream(...args),
    readAll: (...args) => store.readAll(...args),
    subscribe: (...args) => store.subscribe(...args),
  };
};
