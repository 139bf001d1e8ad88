import { createCodec } from '../../libs/runtime/codec/codec.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { makeToken } from '../../apps/petstore/commands/token.command.js';
import { startCluster } from '../servers/cluster.js';
import type { BareComparison } from './bare-comparison.js';
import { approvedBench, visibleBench, type Latency } from './journey.bench.js';
import { filledFolder, removeFolder } from './log.bench.js';
import { projectingBench } from './projecting.bench.js';
import { relayBench } from './relay.bench.js';

const EVENTS = 50_000;
const PAGE = 5_000;

/**
 * Measures the distributed profile. Kafka and MongoDB are real. A test server that speaks EventStoreDB's protocol replaces
 * EventStoreDB.
 */
export const distributedBench = async (): Promise<{
  readonly comparisons: readonly BareComparison[];
  readonly latencies: readonly Latency[];
}> => {
  const directory = await filledFolder(EVENTS);
  const store = await openEmbeddedStore({ directory, log: createLog('warn') });
  const events: StoredEvent[] = [];
  for (let page = await store.store.readAll(0, PAGE); page.length > 0; page = await store.store.readAll(page.at(-1)?.position ?? 0, PAGE))
    events.push(...page);
  const codec = createCodec(DOMAIN_EVENTS, store);
  const cluster = await startCluster({ settings: { LOG_LEVEL: 'warn' } });
  try {
    const token = await makeToken(parseSettings(cluster.settings), {
      scope: 'read:pets write:pets write:orders ops',
      subject: 'bench',
      expiresIn: 3600,
    });
    const latencies = [await visibleBench(cluster, token), await approvedBench(cluster, token)];
    await Promise.all([...cluster.apis, ...cluster.workers].map((member) => member.stop()));
    const comparisons = [
      await projectingBench(cluster.mongod.url, events, codec),
      ...(await relayBench(cluster.kafka.brokers, events, codec)),
    ];
    return { comparisons, latencies };
  } finally {
    await cluster.close();
    await store.close();
    removeFolder(directory);
  }
};
