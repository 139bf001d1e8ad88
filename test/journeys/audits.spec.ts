import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { samplesOf, scrape, seriesOf } from '../servers/prometheus-text.js';
import { stopByClock } from '../stop-by-clock.js';
import { openInProcessStore, type InProcessPetstore } from './in-process-petstore.js';

const MINUTE = 60_000;
const clock = manualClock();
let open: InProcessPetstore | undefined;

afterEach(async () => {
  if (open) await stopByClock(clock, open);
  open = undefined;
  removeFolders();
});

/** Starts the service, which verifies its log every hour. */
const startOn = async (dataDir: string) => {
  const running = await openInProcessStore(dataDir, { clock }, { METRICS_PORT: '0', AUDIT_EVERY: '1h' });
  open = running;
  const audit = async (): Promise<unknown> => {
    const { store } = (await running.call('GET', '/health/ready')).json['details'] as { readonly store: { readonly audit: string } };
    return store.audit;
  };
  const metrics = async (): Promise<readonly string[]> =>
    samplesOf(await scrape(running.metricsUrl ?? ''))
      .filter(({ name }) => name.startsWith('petstore_audit_'))
      .map((sample) => `${seriesOf(sample)} ${sample.value}`);
  /** Advances the clock until the metrics show that the audits have found the log in this state. */
  const until = (state: string): Promise<unknown> =>
    eventually(`the log to be ${state}`, async () => {
      clock.advance(MINUTE);
      return (await audit()) === state;
    });
  return { ...running, audit, metrics, until };
};

/** Proves contract 25.7 and contract 35.9. */
describe('the service', () => {
  it('verifies its log, and reports an event that was altered while it runs', async () => {
    const dataDir = newFolder();
    const { call, audit, metrics, until, lines, store } = await startOn(dataDir);
    const body = { name: 'Rex', species: 'DOG', ageMonths: 3, status: 'AVAILABLE' };
    const { id } = (await call('POST', '/v1/pets', { body })).json;
    expect([await audit(), await metrics()]).toEqual(['unverified', []]);
    await until('whole');
    const auditHealth = async () => (await call('GET', '/v1/ops/health')).json['audit'] as { state: string; unverifiedCount: number };
    // The checkpoint of the audit itself may follow what it has verified.
    const { unverifiedCount: before } = await auditHealth();
    await call('POST', '/v1/pets', { body });
    await call('POST', '/v1/pets', { body });
    // `whole` is about verified events only.
    expect(await auditHealth()).toMatchObject({ state: 'whole', unverifiedCount: before + 2 });
    // Measured values are cached for some seconds, so the clock must pass that time.
    clock.advance(10_000);
    const [position = ''] = await metrics();
    expect(position).toMatch(/^petstore_audit_verified_position{} \d+$/);

    const database = new DatabaseSync(join(dataDir, 'petstore.sqlite'));
    database.exec(`UPDATE events SET data = replace(data, 'Rex', 'Max') WHERE stream = 'pet-${String(id)}'`);
    database.close();
    await until('altered');
    await eventually('the security event', async () => {
      clock.advance(MINUTE);
      const events = await store.store.readAll(0, 1_000);
      return events.some(({ type, data }) => type === 'SecurityEventRecorded' && data.includes(`"target":"pet-${String(id)}, revision 0"`));
    });
    const health = (await call('GET', '/v1/ops/health')).json;
    expect(health).toMatchObject({
      audit: { state: 'altered', faultCount: 1, faults: [{ kind: 'altered', stream: `pet-${String(id)}`, revision: 0 }] },
      brokenStreams: [{ stream: `pet-${String(id)}`, revision: 0, kind: 'altered' }],
    });
    clock.advance(10_000);
    expect(await metrics()).toEqual(expect.arrayContaining([position, 'petstore_audit_faults{kind="altered"} 1']));
    expect(lines.filter((line) => line.includes('an audit of the log has found a fault'))).toHaveLength(1);
    expect((await call('GET', `/v1/pets/${String(id)}`)).status).toBe(503);
  });
});
