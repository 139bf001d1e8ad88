import { describe, expect, it } from '@jest/globals';
import type { PublicMessage, Publisher } from '../../../../libs/eventsourcing/ports/publisher.port.js';
import { recordSpans } from '../../../../libs/eventsourcing/testing/recorded-spans.js';
import { tracePublisher } from './traced-publisher.js';

const OF_EVENT = '00-000000000000000000000000000000aa-00000000000000bb-01';
const message: PublicMessage = { topic: 'petstore.pets.v1', key: 'p1', attributes: {}, data: '{}' };
const START = { name: 'publish petstore.pets.v1', kind: 'producer', attributes: { 'petstore.topic': 'petstore.pets.v1' } };

/** Publishes two messages, of which only the first is traced. Returns what was published, and the spans. */
const publish = async (publishAll: Publisher['publish']) => {
  const tracing = recordSpans();
  let published: readonly PublicMessage[] = [];
  const inner: Publisher = {
    publish: (messages) => publishAll((published = messages)),
    close: () => Promise.resolve(),
  };
  const outcome = await tracePublisher(inner, tracing)
    .publish([{ ...message, traceparent: OF_EVENT }, message])
    .catch((error: unknown) => error);
  return { published, outcome, spans: tracing.spans };
};

/** Proves contract 25.8. */
describe('a traced publisher', () => {
  it('passes the span that publishes a message on in that message', async () => {
    const { published, outcome, spans } = await publish(async () => ({ 'petstore.pets.v1/0': 2 }));
    expect(spans).toEqual([{ ...START, parent: OF_EVENT, traceparent: expect.any(String), end: { failed: false } }]);
    expect(published).toEqual([{ ...message, traceparent: spans[0]?.traceparent }, message]);
    expect(outcome).toEqual({ 'petstore.pets.v1/0': 2 });
  });

  it('rejects and ends its spans as failed if the messages cannot be published', async () => {
    const failure = new Error('no brokers');
    const { outcome, spans } = await publish(() => Promise.reject(failure));
    expect(spans).toMatchObject([{ end: { failed: true } }]);
    expect(outcome).toBe(failure);
  });
});
