import { afterAll, describe, expect, it } from '@jest/globals';
import { whenThere } from '../../servers/services/when-there.js';
import { say } from '../print-line.js';
import { repeatsLeftHalfWay, stopOwner } from './fencing.js';
import { openShop, twoOfEach } from './journey.js';
import type { Told } from './topic-messages.js';

const SEED = 20_260_104;
const NAME = 'a worker that stands still for longer than its leases last';

const told = (...sequences: readonly number[]): readonly Told[] =>
  sequences.map((sequence) => ({ topic: 'pets', key: '1', data: '', attributes: { sequence: String(sequence) } }));

describe('a message told by somebody whose time was over', () => {
  it.each([[[1, 2, 3]], [[1, 2, 2, 3]], [[1, 2, 3, 2, 3, 4]], [[1, 1]]])('is not seen in %j', (sequences) => {
    expect(repeatsLeftHalfWay(told(...sequences))).toEqual([]);
  });
  it.each([[[1, 2, 3, 2]], [[1, 2, 3, 2, 4]], [[1, 2, 3, 1, 3, 4]]])('is seen in %j', (sequences) => {
    expect(repeatsLeftHalfWay(told(...sequences))).toHaveLength(1);
  });
});

whenThere(NAME, await twoOfEach(), (cluster) => {
  describe(NAME, () => {
    const opened = openShop(cluster);
    afterAll(() => cluster.close());

    it.each([
      ['a read model’s owner', 'pets_v1'],
      ['the relay', 'relay'],
    ])(
      'and was %s writes nothing when it goes on, and stands by',
      async (_, name) => {
        const report = await stopOwner(await opened, name, SEED);
        say(`SIGSTOP of the owner of ${name}, seed ${SEED}: ${JSON.stringify(report)}`);
      },
      150_000,
    );
  });
});
