import { Kafka as Binding, type CloudEventV1 } from 'cloudevents';
import { append, event, openForTest, recordingLog } from '../../../libs/adapters/sqlite/sqlite.fixtures.js';
import { yieldToEventLoop } from '../../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { manualClock, type ManualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { messagesContract, type MessagesUnderTest } from '../../contract/messages.contract.js';
import { publisherContract, type PublisherUnderTest, type ReceivedMessage } from '../../contract/publisher.contract.js';
import { messageOf, pointerTo } from '../../contract/kafka.js';
import { directLink, type Link } from '../link.js';
import { Broker, type FetchedMessage } from './simulated-broker.js';
import { LogServer } from './simulated-event-store.js';
import { ConsumerServer, simulatedLogMessages } from './simulated-log-messages.js';
import { simulatedPublisher } from './simulated-publisher.js';
import { simulatedTopicMessages } from './simulated-topic-messages.js';

const TOPIC = 'things.v1';

/** Milliseconds between two fetches of a member that gets no messages. */
const FETCH_INTERVAL = 250;

/** Advances the clock until a promise settles: members of a group send their requests by the clock. */
const whileAdvancing = async <T>(clock: ManualClock, work: Promise<T>): Promise<T> => {
  let isPending = true;
  const settled = work.finally(() => (isPending = false));
  while (isPending) {
    clock.advance(FETCH_INTERVAL);
    await yieldToEventLoop();
  }
  return settled;
};

const topicMessages = async (): Promise<MessagesUnderTest> => {
  const store = await openForTest(':memory:');
  const { clock, documents } = store;
  const log = recordingLog();
  const broker = new Broker(clock);
  broker.createTopic(TOPIC);
  const publisher = await simulatedPublisher(broker, 'relay', directLink);
  const messages = simulatedTopicMessages(broker, directLink, {
    topics: [TOPIC],
    groupOf: (consumer) => consumer,
    documents,
    waiting: async (key, from) => (await store.events.readStream(key, from, 100)).map(pointerTo),
    clock,
    log,
  });
  let published = 0;
  return {
    messages: {
      subscribe: (consumer) => whileAdvancing(clock, messages.subscribe(consumer)),
      consumers: () => messages.consumers(),
    },
    clock,
    lines: log.lines,
    async given(stream, types, tenant) {
      await append(store, stream, ...types.map((type) => event(type, null, tenant)));
      const added = await store.events.readAll(published, types.length);
      published += added.length;
      await publisher.publish(added.map((stored) => messageOf(TOPIC, stored)));
      clock.advance(FETCH_INTERVAL);
    },
    async close() {
      await messages.close();
      await publisher.close();
      await store.close();
    },
  };
};

messagesContract('the simulated topics', topicMessages);

messagesContract('the simulated log', async () => {
  const clock = manualClock();
  const log = recordingLog();
  const events = new LogServer();
  const messages = simulatedLogMessages(new ConsumerServer(events), directLink, { clock, log });
  return {
    messages,
    clock,
    lines: log.lines,
    async given(stream, types, tenant) {
      const made = types.map((type) => event(type, null, tenant));
      events.append(stream, events.readStream(stream).at(-1)?.revision ?? 'none', made);
      clock.advance(0);
    },
    close: () => messages.close(),
  };
});

/** Loses the response to the first commit. */
const losingLink = (): Link => {
  let isLost = false;
  return async (call, effect) => {
    const response = effect();
    if (isLost || !call.startsWith('commit')) return response;
    isLost = true;
    throw new Error('the connection is lost');
  };
};

/** Parses a message with the CloudEvents library, as any consumer would. */
const receive = ({ key, value, headers }: FetchedMessage): ReceivedMessage => {
  const texts = Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, String(header)]));
  const message = Binding.toEvent<unknown>({ key, value, headers: texts, body: value, timestamp: undefined } as never);
  const { data, partitionkey, ...attributes } = message as CloudEventV1<unknown>;
  return { key: String(partitionkey), attributes: attributes as ReceivedMessage['attributes'], data: JSON.stringify(data) };
};

publisherContract('the simulated brokers', async (): Promise<PublisherUnderTest> => {
  const broker = new Broker(manualClock());
  broker.createTopic(TOPIC, 2);
  const next = [0, 0];
  const received: ReceivedMessage[] = [];
  return {
    topic: TOPIC,
    open: () => simulatedPublisher(broker, 'relay', directLink),
    openLosingResponse: () => simulatedPublisher(broker, 'relay', losingLink()),
    received() {
      for (const [partition, offset] of next.entries()) {
        const { messages, nextOffset } = broker.fetch({ topic: TOPIC, partition, offset });
        next[partition] = nextOffset;
        received.push(...messages.map(receive));
      }
      return received;
    },
    close: () => Promise.resolve(),
  };
});
