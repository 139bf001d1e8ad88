import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openPrometheusMetrics } from '../../libs/adapters/metrics/index.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { findProgram } from '../servers/services/prometheus.js';
import { PROMETHEUS } from './metrics-files.js';

const NAME = 'the files for Prometheus';

const promtool = (args: readonly string[], input = ''): { readonly status: number | null; readonly output: string } => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', input });
  return { status, output: `${stdout}${stderr}` };
};

describeIfAvailable(NAME, findProgram('promtool'), () =>
  describe(NAME, () => {
    afterAll(removeFolders);

    it('are valid', () => {
      expect(promtool(['check', 'rules', join(PROMETHEUS, 'alerts.yml')])).toMatchObject({ status: 0 });
      expect(promtool(['check', 'config', join(PROMETHEUS, 'prometheus.yml')])).toMatchObject({ status: 0 });
    });

    it('are valid for Kubernetes', () => {
      const folder = newFolder();
      cpSync(PROMETHEUS, folder, { recursive: true });
      const file = join(folder, 'kubernetes.yml');
      const result = promtool(['check', 'config', file]);
      if (result.output.includes('field kubernetes_sd_configs not found')) {
        // Debian's promtool does not know kubernetes_sd_configs. It can check the rest of the file.
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replace(/kubernetes_sd_configs:[^]*?(?= {4}relabel_configs:)/, 'static_configs: []\n'),
        );
        expect(promtool(['check', 'config', file])).toMatchObject({ status: 0 });
      } else expect(result).toMatchObject({ status: 0 });
    });

    it('have alert rules that fire and stay silent as alerts.test.yml expects', () =>
      expect(promtool(['test', 'rules', join(PROMETHEUS, 'alerts.test.yml')])).toMatchObject({ status: 0 }));

    it.each([
      ['a higher threshold', 'petstore_projection_lag_seconds) > 30', 'petstore_projection_lag_seconds) > 3000'],
      ['a lower threshold', 'petstore_relay_lag_seconds) > 60', 'petstore_relay_lag_seconds) > 6'],
      ['another metric', 'petstore_altered_streams', 'petstore_changed_streams'],
      ['a longer time', 'for: 2m', 'for: 20m'],
    ])('have tests that fail with %s', (_, right, wrong) => {
      const folder = newFolder();
      cpSync(PROMETHEUS, folder, { recursive: true });
      const file = join(folder, 'alerts.yml');
      expect(readFileSync(file, 'utf8')).toContain(right);
      writeFileSync(file, readFileSync(file, 'utf8').replace(right, wrong));
      expect(promtool(['test', 'rules', join(folder, 'alerts.test.yml')])).toMatchObject({
        status: 1,
        output: expect.stringContaining('FAILED'),
      });
    });

    it('fit the metrics of a process, which promtool parses without an error', async () => {
      const { status, output } = promtool(['check', 'metrics'], await openPrometheusMetrics().text());
      // 3 means: promtool could parse all lines, but advises against some names. Some names of prom-client cause this.
      expect([0, 3]).toContain(status);
      expect(output).not.toMatch(/error|petstore_(?!nodejs|process)/);
    });
  }),
);
