import { describe, expect, it } from '@jest/globals';
import { compareTopics, defaultMinInSync, settingsOf, type TopicShape, type TopicState } from './topic-settings.js';

describe('a message is acknowledged', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [5, 4],
  ])('with %d replicas when %d of them have it', (replicas, inSync) => expect(defaultMinInSync(replicas)).toBe(inSync));
});

const TOPIC = 'petstore.orders.v1';
const SHAPE: TopicShape = { replicationFactor: 3 };
const BROKERS = [1, 2, 3];
const REPLICAS = [
  [1, 2, 3],
  [2, 3, 1],
];
const KEPT: TopicState = { topic: TOPIC, replicas: REPLICAS, settings: settingsOf(SHAPE) };
const CONNECT = '--bootstrap-server "$KAFKA_BROKERS"';
const CONFIGURE = `run: kafka-configs.sh ${CONNECT} --alter --entity-type topics --entity-name ${TOPIC} --add-config`;

const compare = (state: Partial<TopicState>, brokers = BROKERS) =>
  compareTopics({ brokers, missing: [], topics: [{ ...KEPT, ...state }] }, { shape: SHAPE, spread: { [TOPIC]: 2 }, connect: CONNECT });
const withSettings = (settings: Readonly<Record<string, string>>) => compare({ settings: { ...KEPT.settings, ...settings } });

/** Proves contract 22.7. */
describe('the comparison of a topic with its promise', () => {
  it('finds nothing in a topic that keeps the promise', () => expect(compare({})).toEqual([]));

  it.each([
    [
      'compaction',
      { 'cleanup.policy': 'compact' },
      'cleanup.policy is compact, which deletes messages, instead of delete',
      'cleanup.policy=delete',
    ],
    ['compaction and deletion', { 'cleanup.policy': 'compact,delete' }, 'cleanup.policy is compact,delete', 'cleanup.policy=delete'],
    [
      '7 days',
      { 'retention.ms': '604800000' },
      'retention.ms is 604800000, after which messages are deleted, instead of -1',
      'retention.ms=-1',
    ],
    ['a limit of bytes', { 'retention.bytes': '1000' }, 'retention.bytes is 1000, beyond which', 'retention.bytes=-1'],
    [
      'short messages',
      { 'max.message.bytes': '1048588' },
      'max.message.bytes is 1048588, but messages are longer',
      'max.message.bytes=2097152',
    ],
    [
      'one replica in sync',
      { 'min.insync.replicas': '1' },
      'min.insync.replicas is 1, which decides how many brokers',
      'min.insync.replicas=2',
    ],
    ['more replicas in sync than there are', { 'min.insync.replicas': '4' }, 'min.insync.replicas is 4', 'min.insync.replicas=2'],
  ])('finds %s, and names the command that corrects it', (_, settings, problem, change) => {
    const [finding, ...others] = withSettings(settings);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ topic: TOPIC, kind: 'contradiction' });
    expect(finding?.text).toContain(`topic ${TOPIC}: ${problem}`);
    expect(finding?.text.endsWith(`${CONFIGURE} ${change}`)).toBe(true);
  });

  it('corrects several settings of a topic by one command', () => {
    const findings = withSettings({ 'cleanup.policy': 'compact', 'retention.ms': '604800000' });
    expect(findings).toHaveLength(1);
    expect(findings[0]?.text.endsWith(`${CONFIGURE} cleanup.policy=delete,retention.ms=-1`)).toBe(true);
  });

  it('accepts limits that are wider than the promise', () =>
    expect(withSettings({ 'max.message.bytes': '9000000', 'min.insync.replicas': '3' })).toEqual([]));

  it('adds replicas by a plan that keeps those that exist', () => {
    const [finding] = compare({ replicas: [[1], [2, 3, 1]], settings: { ...KEPT.settings, 'min.insync.replicas': '2' } }).filter(
      ({ text }) => text.includes('KAFKA_REPLICATION'),
    );
    const plan = JSON.stringify({
      version: 1,
      partitions: [
        { topic: TOPIC, partition: 0, replicas: [1, 2, 3] },
        { topic: TOPIC, partition: 1, replicas: [2, 3, 1] },
      ],
    });
    expect(finding).toEqual({
      topic: TOPIC,
      kind: 'contradiction',
      text:
        `topic ${TOPIC}: a partition is stored by 1 of 3 brokers (KAFKA_REPLICATION); run: echo '${plan}' >plan.json && ` +
        `kafka-reassign-partitions.sh ${CONNECT} --reassignment-json-file plan.json --execute`,
    });
  });

  it('asks for brokers if there are fewer than replicas', () =>
    expect(compare({ replicas: [[1], [2]], settings: null }, [1, 2]).map(({ text }) => text)).toContain(
      `topic ${TOPIC}: a partition is stored by 1 of 3 brokers (KAFKA_REPLICATION); start 1 more broker, or correct KAFKA_REPLICATION`,
    ));

  it('reports more partitions than keys are spread over, which loses nothing', () =>
    expect(compare({ replicas: [...REPLICAS, [3, 1, 2]] })).toEqual([
      {
        topic: TOPIC,
        kind: 'notice',
        text:
          `topic ${TOPIC}: it has 3 partitions, but keys are spread over the first 2, so that they stay in order; ` +
          'to use all of them run: petstore topics spread --partitions 3',
      },
    ]));

  it('finds fewer partitions than keys are spread over', () =>
    expect(compare({ replicas: [[1, 2, 3]] })).toEqual([
      {
        topic: TOPIC,
        kind: 'contradiction',
        text:
          `topic ${TOPIC}: it has 1 partition, but keys are spread over 2; ` +
          `run: kafka-topics.sh ${CONNECT} --alter --topic ${TOPIC} --partitions 2`,
      },
    ]));

  it('reports settings that cannot be read, with the right that is missing', () =>
    expect(compare({ settings: null })).toEqual([
      {
        topic: TOPIC,
        kind: 'notice',
        text:
          `topic ${TOPIC}: its settings cannot be read, so they are not compared; run: kafka-acls.sh ${CONNECT} --add ` +
          `--allow-principal "User:$KAFKA_USERNAME" --operation DescribeConfigs --topic ${TOPIC}`,
      },
    ]));

  it('finds a topic that does not exist', () =>
    expect(compareTopics({ brokers: BROKERS, missing: [TOPIC], topics: [] }, { shape: SHAPE, spread: {}, connect: CONNECT })).toMatchObject(
      [{ kind: 'contradiction', text: expect.stringMatching(/it does not exist; restart a worker.*petstore topics republish/) }],
    ));
});
