import { MongoClient } from 'mongodb';
import { afterAll } from '@jest/globals';
import { openEventStore } from '../../../libs/adapters/eventstoredb/index.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { STREAM_PREFIXES } from '../../../libs/domain/events.js';
import { checkpointOf } from '../../../libs/eventsourcing/ports/documents.port.js';
import { petsProjection } from '../../../libs/projections/pets.projection.js';
import { caller } from '../../servers/calling.js';
import { databaseIn } from '../../../libs/adapters/mongodb/connection/connection.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { silentLog } from '../../silent-log.js';
import { brokenPhotos } from '../poisoned-events.js';
import { defineSearchDifferences } from '../search-differences.js';
import { openSession, startClusterIfAvailable } from './journey.js';

const found = await startClusterIfAvailable({ apis: 1 });

/** Proves contract 7.4 and contract 12.10. */
describeIfAvailable('searches on several machines', found, (cluster) => {
  const { settings, apis, mongod } = cluster;
  const client = new MongoClient(mongod.url);
  afterAll(async () => {
    await client.close();
    await cluster.close();
  });

  defineSearchDifferences(async () => {
    const { token } = await openSession(cluster);
    const store = await openEventStore({
      url: settings['EVENTSTOREDB_URL'] ?? '',
      ...{ clock: systemClock, log: silentLog, streams: STREAM_PREFIXES },
    });
    const database = client.db(databaseIn(mongod.url));
    return {
      call: caller(apis[0]?.url ?? '', token),
      async documents() {
        const version = checkpointOf(petsProjection.collection);
        const record = await database.collection<{ _id: string; generation: number }>('readers').findOne({ _id: version });
        const pets = database.collection<{ json: string }>(`${version}_${record?.generation}`);
        return (await pets.find({}, { projection: { json: 1 } }).toArray()).map(({ json }) => json);
      },
      async breakStream(stream) {
        const last = (await store.readStream(stream)).at(-1);
        if (last) await store.append(stream, last.revision, await brokenPhotos(last));
      },
    };
  });
});
