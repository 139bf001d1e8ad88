import type { PublicMessage, Publisher } from '../../../../libs/eventsourcing/ports/publisher.port.js';
import type { Span, Tracing } from '../../../../libs/eventsourcing/ports/tracing.port.js';

/**
 * Returns a publisher that creates a span for each message that belongs to a trace. The header `traceparent` of the published
 * message names this span (contract 25.8).
 */
export const tracePublisher = (publisher: Publisher, tracing: Pick<Tracing, 'startSpan'>): Publisher => ({
  async publish(messages) {
    const spans: Span[] = [];
    const traced = messages.map((message) => {
      const span = startSpan(message, tracing);
      if (!span) return message;
      spans.push(span);
      return { ...message, traceparent: span.traceparent };
    });
    const endAll = (failed: boolean): void => spans.forEach((span) => span.end({ failed }));
    try {
      const ends = await publisher.publish(traced);
      endAll(false);
      return ends;
    } catch (error) {
      endAll(true);
      throw error;
    }
  },
  close: () => publisher.close(),
});

const startSpan = ({ topic, traceparent }: PublicMessage, tracing: Pick<Tracing, 'startSpan'>): Span | null =>
  traceparent === undefined
    ? null
    : tracing.startSpan(traceparent, { name: `publish ${topic}`, kind: 'producer', attributes: { 'petstore.topic': topic } });
