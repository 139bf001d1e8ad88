import { describe, expect, it } from '@jest/globals';
import type { PublicMessage } from '../../../libs/eventsourcing/ports/publisher.port.js';
import { faultsInTold } from './topic-messages.js';

const TOPIC = 'petstore.pets.v1';
const message = (key: string, sequence: number, data = '{}'): PublicMessage => ({
  topic: TOPIC,
  key,
  attributes: { id: `${key}/${sequence}`, sequence: String(sequence) },
  data,
});
const [first, second, third, other] = [message('a', 1), message('a', 2), message('a', 3), message('b', 1)];
const EXPECTED = [first, second, third, other];

describe('what the topics have told', () => {
  it('is sound in any order of keys', () => expect(faultsInTold([other, first, second, third], EXPECTED)).toEqual([]));

  it('is sound where some of it is told again, as it was', () =>
    expect(faultsInTold([first, second, first, second, third, other], EXPECTED)).toEqual([]));

  it('has a gap where a later one of a key comes first', () =>
    expect(faultsInTold([first, third, second, other], EXPECTED)).toEqual([`${TOPIC} a goes from 1 to 3`]));

  it('lacks what was recorded and never told', () =>
    expect(faultsInTold([first, second, other], EXPECTED)).toEqual([`${TOPIC} a 3 was never told`]));

  it('must not tell what was never recorded', () =>
    expect(faultsInTold([...EXPECTED, message('c', 1)], EXPECTED)).toEqual([`${TOPIC} c 1 was told, and nothing of it was recorded`]));

  it('must not tell otherwise the second time', () =>
    expect(faultsInTold([...EXPECTED, message('b', 1, '{"name":"Rex"}')], EXPECTED)).toEqual([
      expect.stringContaining(`${TOPIC} b 1 was told otherwise than it was recorded`),
    ]));

  it('must not give an event a second id', () =>
    expect(faultsInTold([...EXPECTED, { ...other, attributes: { ...other.attributes, id: 'new' } }], EXPECTED)).toHaveLength(1));
});
