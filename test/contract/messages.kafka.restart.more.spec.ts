import { afterAll, describe, expect, it } from '@jest/globals';
import { openPublisher } from '../../libs/adapters/kafka/index.js';
import type { MessagePointer } from '../../libs/eventsourcing/ports/messages.port.js';
import { eventually } from '../eventually.js';
import { ownKafka } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { kafkaMessagesUnderTest, topicForTest } from './kafka.js';
import { waitUntilCaughtUp } from './messages.contract.js';

const NAME = 'Kafka brokers that are killed and restarted';
const labelOf = ({ stream, revision }: MessagePointer): string => `${stream}/${revision}`;

describeIfAvailable(NAME, await ownKafka(), (kafka) => {
  describe(NAME, () => {
    afterAll(() => kafka.close());

    it('continue to serve their consumers from the stored offsets, within ten seconds', async () => {
      const subject = await kafkaMessagesUnderTest(kafka);
      const seen: string[] = [];
      const handle = async (message: MessagePointer): Promise<void> => void seen.push(labelOf(message));
      await subject.messages.subscribe({ name: 'reader', types: new Set(['Made', 'Changed']), handle });
      await subject.given('thing-1', ['Made', 'Changed']);
      await waitUntilCaughtUp(subject);
      await kafka.kill();
      await expect(subject.given('thing-1', ['Changed'])).rejects.toMatchObject({ name: 'StoreUnavailable' });
      await kafka.restart();
      await subject.reopenPublisher();
      await subject.given('thing-1', ['Changed']);
      await eventually('the message published after the restart', () => {
        subject.clock.advance(1_000);
        return seen.includes('thing-1/3');
      });
      await waitUntilCaughtUp(subject);
      expect([...new Set(seen)].slice(0, 2)).toEqual(['thing-1/0', 'thing-1/1']);
      await subject.close();
    });

    it('reject a new publisher until they are restarted', async () => {
      const { connection, topic } = await topicForTest(kafka);
      await kafka.kill();
      await expect(openPublisher(connection, topic)).rejects.toMatchObject({ name: 'StoreUnavailable' });
      await kafka.restart();
      await (await openPublisher(connection, topic)).close();
    });
  });
});
