import { afterAll, describe, expect, it } from '@jest/globals';
import { checkpointOf } from '../../../libs/eventsourcing/ports/documents.port.js';
import { petsProjection } from '../../../libs/projections/pets.projection.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { printLine } from '../../print-line.js';
import { incompleteRepeats, pauseOwner } from './fencing.js';
import { openSession, startClusterIfAvailable } from './journey.js';
import type { TopicMessage } from './topic-messages.js';

const SEED = 20_260_104;
const NAME = 'a worker that is paused for longer than its leases';

const messages = (...sequences: readonly number[]): readonly TopicMessage[] =>
  sequences.map((sequence) => ({ topic: 'pets', key: '1', data: '', attributes: { sequence: String(sequence) } }));

describe('the search for messages of a former owner', () => {
  it.each([[[1, 2, 3]], [[1, 2, 2, 3]], [[1, 2, 3, 2, 3, 4]], [[1, 1]]])('finds none in the sequence %j', (sequences) => {
    expect(incompleteRepeats(messages(...sequences))).toEqual([]);
  });
  it.each([[[1, 2, 3, 2]], [[1, 2, 3, 2, 4]], [[1, 2, 3, 1, 3, 4]]])('finds one in the sequence %j', (sequences) => {
    expect(incompleteRepeats(messages(...sequences))).toHaveLength(1);
  });
});

describeIfAvailable(NAME, await startClusterIfAvailable(), (cluster) => {
  /** Proves contract 24.6. */
  describe(NAME, () => {
    const session = openSession(cluster);
    afterAll(() => cluster.close());

    it.each([
      ['a read model', checkpointOf(petsProjection)],
      ['the relay', 'relay'],
    ])('and owned the lease of %s writes nothing when it resumes, and becomes a standby', async (_, name) => {
      const report = await pauseOwner(await session, name, SEED);
      printLine(`SIGSTOP of the owner of ${name}, seed ${SEED}: ${JSON.stringify(report)}`);
    });
  });
});
