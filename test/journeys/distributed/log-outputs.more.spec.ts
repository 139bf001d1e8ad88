import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../eventually.js';
import { caller } from '../../servers/calling.js';
import { waitUntilIdle } from '../../servers/cpu-time.js';
import { removeFolders } from '../../servers/data-folder.js';
import { BROKEN_OUTPUTS } from '../../servers/outputs.js';
import { startPetstore } from '../../servers/process.js';
import { endPrograms } from '../../servers/program.js';
import { freePorts } from '../../servers/services/free-ports.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { startClusterIfAvailable } from './journey.js';

const NAME = 'a process of the distributed profile with standard output and standard error on';

describeIfAvailable(NAME, await startClusterIfAvailable({ apis: 0, workers: [] }), (cluster) => {
  describe.each(BROKEN_OUTPUTS)(`${NAME} %s`, (_, make) => {
    afterEach(async () => {
      await endPrograms();
      removeFolders();
    });

    it.each([
      ['api', 'PORT'],
      ['worker', 'WORKER_PORT'],
    ])('responds, becomes idle and stops on SIGTERM: %s', async (kind, setting) => {
      const [stdout, stderr] = [make(), make()];
      const port = await freePorts();
      const env = { ...cluster.settings, [setting]: String(port), LOG_LEVEL: 'trace' };
      const program = startPetstore([kind], { dataDir: '', env }, { stdout: stdout.target, stderr: stderr.target });
      const call = caller(`http://127.0.0.1:${port}`);
      await eventually('the process to be ready', async () => (await call('GET', '/health/ready')).status === 200);
      for (let n = 0; n < 100; n++) expect((await call('GET', kind === 'api' ? '/v1/pets' : '/health/live')).status).toBe(200);
      expect(await waitUntilIdle(program.pid, 0.3)).toBeLessThanOrEqual(0.3);
      program.signal('SIGTERM');
      expect(await program.ended).toEqual({ code: 0, signal: null });
      stdout.close();
      stderr.close();
    });
  });
  afterAll(() => cluster.close());
});
