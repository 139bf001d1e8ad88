import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { Kafka, logLevel, type Admin } from 'kafkajs';
import { ROOT, runProgram } from '../servers/program.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { startKafka } from '../servers/services/kafka.js';
import { sharedPython } from '../servers/services/python.js';
import { catchServerMissing, isMissing } from '../servers/services/shared.js';

const NAME = 'the subscribers, at a broker that creates unknown topics';
const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const SUBSCRIBER = join(ROOT, 'examples', 'subscriber');

const python = await sharedPython();
const found = isMissing(python) ? python : await catchServerMissing(startKafka({ createsTopics: true }));

describeIfAvailable(NAME, found, (kafka) => {
  /** Proves contract 22.7 for subscribers. */
  describe(NAME, () => {
    const env = { KAFKA_BROKERS: kafka.brokers };
    let admin: Admin;
    beforeAll(async () => {
      admin = new Kafka({ brokers: [kafka.brokers], logLevel: logLevel.NOTHING }).admin();
      await admin.connect();
    });
    afterAll(async () => {
      await admin.disconnect();
      await kafka.close();
    });

    it.each([
      ['TypeScript', NODE, ['--no-warnings', join(SUBSCRIBER, 'subscriber.ts')]],
      ['Python', isMissing(python) ? '' : python.python, [join(SUBSCRIBER, 'subscriber.py')]],
    ])('name the missing topic and create none, in %s', async (_, program, args) => {
      const { code, stdout, stderr } = await runProgram(program, [...args, 'petstore.orders.v1'], { env });
      expect([code, stdout, stderr]).toEqual([
        2,
        '',
        `subscriber: this topic does not exist at ${kafka.brokers}: petstore.orders.v1. ` +
          'Correct the name, or start the workers of the store, which create it.\n',
      ]);
      expect(await admin.listTopics()).not.toContain('petstore.orders.v1');
    });

    it('say that no broker answers, in Python', async () => {
      const args = [join(SUBSCRIBER, 'subscriber.py'), 'petstore.orders.v1'];
      const { code, stderr } = await runProgram(isMissing(python) ? '' : python.python, args, { env: { KAFKA_BROKERS: '127.0.0.1:1' } });
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/subscriber: no broker can be used at 127\.0\.0\.1:1: .*Start Kafka, or correct/),
      ]);
    });
  });
});
