import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../eventually.js';
import { caller, type Call } from '../../servers/calling.js';
import type { Cluster } from '../../servers/cluster.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { startPetstore, runPetstore } from '../../servers/process.js';
import { endPrograms, type ProgramResult } from '../../servers/program.js';
import { freePorts } from '../../servers/services/free-ports.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { clientForTest } from '../../contract/mongo.js';
import { deleteTopics } from './delete-topics.js';
import { openSession, startClusterIfAvailable } from './journey.js';

const NAME = 'the service after the loss or replacement of a server';
const REJECTED = 2;
const PET = { body: { name: 'Rex', species: 'DOG', ageMonths: 3, price: '10.00', currency: 'USD' } };

describeIfAvailable(
  NAME,
  await startClusterIfAvailable({ apis: 1, workers: [], settings: { LOG_LEVEL: 'warn', WRITE_WAIT: 'off' } }),
  (cluster: Cluster) => {
    /** Proves contract 22.7, contract 24.9 and contract 27.6. */
    describe(NAME, () => {
      let call: Call;
      beforeAll(async () => {
        const { token } = await openSession(cluster);
        call = caller(cluster.apis[0]?.url ?? '', token);
        expect((await call('POST', '/v1/pets', PET)).status).toBe(201);
      });
      afterAll(async () => {
        await endPrograms();
        await cluster.close();
        removeFolders();
      });

      const run = async (args: readonly string[], env: Readonly<Record<string, string>>): Promise<ProgramResult> => {
        const ports = { PORT: String(await freePorts()), WORKER_PORT: String(await freePorts()) };
        return runPetstore(args, { dataDir: newFolder(), env: { ...cluster.settings, ...ports, ...env } });
      };
      const inDatabase = (name: string): string => {
        const url = new URL(cluster.settings['MONGODB_URL'] ?? '');
        url.pathname = `/${name}`;
        return url.href;
      };

      it.each(['api', 'worker'])('rejects the start of the %s on a log with events and an empty database', async (kind) => {
        const rejected = await run([kind], { MONGODB_URL: inDatabase('lost') });
        expect(rejected).toMatchObject({
          code: REJECTED,
          stderr: expect.stringMatching(/log has the store id .*MONGODB_URL.*Restore MongoDB's backup/),
        });
        expect(rejected.stderr).not.toMatch(/\n\s+at /);
      });

      it('rejects the start of the api on the database of another store', async () => {
        const records = clientForTest(cluster.settings['MONGODB_URL'] ?? '')
          .db('foreign')
          .collection<{ _id: string; record: object }>('store');
        await records.insertOne({ _id: 'id', record: { storeId: 'another' } });
        const rejected = await run(['api'], { MONGODB_URL: inDatabase('foreign') });
        expect(rejected).toMatchObject({
          code: REJECTED,
          stderr: expect.stringMatching(/store id .* but the database at MONGODB_URL has the store id another/),
        });
      });

      it.each([[['token', '--scope', 'ops']], [['projections', 'rebuild']], [['topics', 'republish']]])(
        'rejects the command %j on a database without a store',
        async (args) => {
          expect(await run(args, { MONGODB_URL: inDatabase('nothing') })).toMatchObject({
            code: REJECTED,
            stdout: '',
            stderr: expect.stringMatching(/the database at MONGODB_URL contains no store/),
          });
        },
      );

      it('publishes nothing to topics that lost messages until an operator republishes the log', async () => {
        type Consumer = { behind: number; parked: number };
        type Readiness = { reason?: string; behind?: Record<string, number | null>; consumers?: Record<string, Consumer> };
        const readiness = async (url: string): Promise<Readiness> => (await (await fetch(`${url}/health/ready`)).json()) as never;
        const first = await cluster.startWorker();
        await eventually('everything to be published', async () => (await readiness(first.url)).behind?.['relay'] === 0);
        await first.close();
        await deleteTopics(cluster, ['petstore.pets.v1']);

        const port = await freePorts();
        const second = startPetstore(['worker'], { dataDir: '', env: { ...cluster.settings, WORKER_PORT: String(port) } });
        const reason = async (): Promise<string> =>
          (await readiness(`http://127.0.0.1:${port}`).catch(() => ({ reason: '' }))).reason ?? '';
        const reportedLoss = await eventually('the relay to stop', async () => /topics have lost messages.*/.exec(await reason())?.[0]);
        expect(reportedLoss).toMatch(/petstore\.pets\.v1\/\d ends at 0 but was published up to \d.*petstore topics republish/);
        // The relay sets the reason just before it reports the failure to the log.
        await eventually('the loss to be logged', () => second.stderr().includes('topics have lost messages'));
        second.signal('SIGTERM');
        expect((await second.ended).code).toBe(0);

        expect(await run(['topics', 'republish'], {})).toMatchObject({
          code: 0,
          stderr: '',
          stdout: expect.stringContaining('first event'),
        });
        const third = await cluster.startWorker();
        await eventually('everything to be published again', async () => (await readiness(third.url)).behind?.['relay'] === 0);
        const listed = await call('POST', '/v1/pets', PET);
        const ordered = await call('POST', '/v1/orders', { body: { petId: listed.json['id'] } });
        const order = `/v1/orders/${String(ordered.json['id'])}`;
        const source = { object: 'bank_account', number: '000123456789', sortCode: '110000', name: 'Banked Payer' };
        expect((await call('POST', `${order}/payment`, { body: { amount: '10.00', currency: 'USD', source } })).status).toBe(201);
        await eventually('the order to be approved', async () => (await call('GET', order)).json['status'] === 'approved');
        const consumers = async (): Promise<boolean> => {
          const { processes, announcements } = (await readiness(third.url)).consumers ?? {};
          return [processes, announcements].every((consumer) => consumer?.behind === 0 && consumer.parked === 0);
        };
        await eventually('the consumers to reach the end', consumers);
      });
    });
  },
);
