import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dashboardQueries, readAlerts } from '../../deploy/metrics-files.js';
import { eventually } from '../../eventually.js';
import { caller, type Call } from '../../servers/calling.js';
import { ALL_ROLES, type Cluster, type Member } from '../../servers/cluster.js';
import { openReceiver, type Receiver } from '../../servers/receiver.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { findProgram, startPrometheus, type RunningPrometheus } from '../../servers/services/prometheus.js';
import { newFolder } from '../../servers/services/real-server.js';
import { isMissing, type Missing } from '../../servers/services/shared.js';
import { openSession, startClusterIfAvailable } from './journey.js';

const NAME = 'the dashboard on a real scrape';

const OPTIONS = { apis: 1, workers: [ALL_ROLES], settings: { LOG_LEVEL: 'info', METRICS_PORT: '0', EGRESS_ALLOW: 'loopback' } };

const prometheusProgram = findProgram('prometheus');
const found: Cluster | Missing = isMissing(prometheusProgram) ? prometheusProgram : await startClusterIfAvailable(OPTIONS);

/** Returns the host and port of the metrics of a process. Finds them in the log of the process. */
const targetOf = (member: Member): string => new URL(/"metrics":"([^"]+)"/.exec(member.log())?.[1] ?? '').host;

describeIfAvailable(NAME, found, (cluster) => {
  /** Proves contract 25.6. */
  describe(NAME, () => {
    let prometheus: RunningPrometheus;
    let receiver: Receiver;
    let call: Call;
    let traffic: Promise<void>;
    const stopping = new AbortController();

    beforeAll(async () => {
      const { token } = await openSession(cluster);
      call = caller(cluster.apis[0]?.url ?? '', token);
      receiver = await openReceiver();
      const body = { url: receiver.url, events: ['pet.statusChanged'] };
      expect((await call('POST', '/v1/webhooks', { body })).status).toBe(201);
      prometheus = await startPrometheus(newFolder('prometheus'), [...cluster.apis, ...cluster.workers].map(targetOf));
      traffic = addPetsUntil(stopping.signal);
    });
    afterAll(async () => {
      stopping.abort();
      await traffic;
      await prometheus.close();
      await receiver.close();
      await cluster.close();
    });

    const addPetsUntil = async (signal: AbortSignal): Promise<void> => {
      const body = { name: 'Rex', species: 'DOG', ageMonths: 3 };
      while (!signal.aborted) {
        const { json } = await call('POST', '/v1/pets', { body });
        await call('GET', `/v1/pets/${String(json['id'])}`);
      }
    };

    it('scrapes an api and a worker', () =>
      eventually('both to be up', async () => (await prometheus.query('sum(up{job="petstore"})'))[0] === 2));

    it.each(dashboardQueries())('has data for $title: $expr', async ({ expr }) => {
      const values = await eventually('data', async () => {
        const now = await prometheus.query(expr);
        return now.length > 0 && now.some((value) => Number.isFinite(value)) ? now : null;
      });
      expect(values.every((value) => value >= 0 || Number.isNaN(value))).toBe(true);
    });

    it('can evaluate every alert, none of which is about to fire for a healthy service', async () => {
      const critical = readAlerts().filter(({ labels }) => labels['severity'] === 'critical');
      for (const { expr } of readAlerts()) await prometheus.query(expr);
      for (const { expr } of critical) expect([expr, await prometheus.query(expr)]).toEqual([expr, []]);
    });
  });
});
