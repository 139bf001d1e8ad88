import { describe, expect, it } from '@jest/globals';
import type { PublicMessage } from '../../../libs/eventsourcing/ports/publisher.port.js';
import { topicViolations } from './topic-messages.js';

const TOPIC = 'petstore.pets.v1';
const message = (key: string, sequence: number, data = '{}'): PublicMessage => ({
  topic: TOPIC,
  key,
  attributes: { id: `${key}/${sequence}`, sequence: String(sequence) },
  data,
});
const [first, second, third, other] = [message('a', 1), message('a', 2), message('a', 3), message('b', 1)];
const EXPECTED = [first, second, third, other];

/** Proves contract 22.4. */
describe('the messages of the topics', () => {
  it('are valid in any order of keys', () => expect(topicViolations([other, first, second, third], EXPECTED)).toEqual([]));

  it('are valid with identical repeats', () => expect(topicViolations([first, second, first, second, third, other], EXPECTED)).toEqual([]));

  it('have a gap when a later message of a key comes first', () =>
    expect(topicViolations([first, third, second, other], EXPECTED)).toEqual([`${TOPIC} a jumps from 1 to 3`]));

  it('are invalid without the message of an event', () =>
    expect(topicViolations([first, second, other], EXPECTED)).toEqual([`${TOPIC} a 3 was not published`]));

  it('are invalid with a message of no event', () =>
    expect(topicViolations([...EXPECTED, message('c', 1)], EXPECTED)).toEqual([`${TOPIC} c 1 was published but not recorded`]));

  it('are invalid with a repeat that differs', () =>
    expect(topicViolations([...EXPECTED, message('b', 1, '{"name":"Rex"}')], EXPECTED)).toEqual([
      expect.stringContaining(`${TOPIC} b 1 was published with other content than recorded`),
    ]));

  it('are invalid with a second id for an event', () =>
    expect(topicViolations([...EXPECTED, { ...other, attributes: { ...other.attributes, id: 'new' } }], EXPECTED)).toHaveLength(1));
});
