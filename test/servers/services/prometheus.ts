import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from './free-ports.js';
import { startRealServer, type RealServer } from './real-server.js';
import type { Missing } from './shared.js';

/** Returns the version of a program, or why it is missing. Both programs are in the Debian package `prometheus`. */
export const findProgram = (name: 'promtool' | 'prometheus'): { readonly versions: string } | Missing => {
  const { status, stdout, stderr } = spawnSync(name, ['--version'], { encoding: 'utf8' });
  const [version = ''] = `${stdout}${stderr}`.split('\n');
  return status === 0 ? { versions: version } : { missing: `${name} is not installed: it is in Debian's package prometheus` };
};

/** A Prometheus that scrapes every second. */
export type RunningPrometheus = RealServer & {
  /** Returns the values of a query, one for each series. Rejects with the reason if the query is invalid. */
  query(expr: string): Promise<readonly number[]>;
};

type QueryResponse = {
  readonly status: string;
  readonly error?: string;
  readonly data?: { readonly result: readonly { readonly value: [number, string] }[] };
};

/** Starts Prometheus on loopback, with these targets of the job `petstore`. */
export const startPrometheus = async (folder: string, targets: readonly string[]): Promise<RunningPrometheus> => {
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'prometheus.yml');
  const job = { job_name: 'petstore', scrape_interval: '1s', static_configs: [{ targets }] };
  writeFileSync(config, JSON.stringify({ scrape_configs: [job] }));
  const url = `http://127.0.0.1:${await freePorts()}`;
  const command = [
    'prometheus',
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${new URL(url).host}`,
  ] as const;
  const isReady = async (): Promise<boolean> => (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true;
  const server = await startRealServer({ folder, command: [...command], isReady });
  return {
    ...server,
    async query(expr) {
      const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: expr }).toString()}`);
      const { status, error, data } = (await response.json()) as QueryResponse;
      if (status !== 'success' || !data) throw new Error(`${expr}: ${error}`);
      return data.result.map(({ value: [, text] }) => Number(text));
    },
  };
};
