import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { DEPLOY, readCompose, type Container } from './deploy-files.js';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const { services, networks, volumes } = readCompose();
const all = Object.entries(services);
const own = all.filter(([, { build }]) => build !== undefined);

const namesOf = (entries: readonly (readonly [string, Container])[]): readonly string[] => entries.map(([name]) => name);
/** Those that a rule does not hold for. */
const but = (rule: (service: Container) => boolean): readonly string[] => namesOf(all.filter(([, service]) => !rule(service)));

/** It does its work once, and that it is done is what the others wait for. */
const ONCE = ['mongodb-replica-set'];

describe('compose.yaml', () => {
  it('starts two of each process, and servers of which some may end', () => {
    expect(namesOf(all)).toEqual([
      ...['api-1', 'api-2', 'worker-1', 'worker-2'],
      ...['eventstoredb', 'kafka-1', 'kafka-2', 'kafka-3', 'mongodb-1', 'mongodb-2', 'mongodb-3', 'mongodb-replica-set'],
    ]);
    expect(namesOf(own)).toEqual(['api-1', 'api-2', 'worker-1', 'worker-2']);
  });

  it('builds its own image, of this version, and pins the others', () => {
    expect(own.map(([, { image }]) => image)).toEqual(own.map(() => `petstore:${version}`));
    expect(but(({ image }) => /:\d+\.\d+\.\d+$/.test(image))).toEqual([]);
  });

  it('runs the Kafka that the tests run on', () => {
    const [, tested] = /^KAFKA_VERSION=(\S+)/m.exec(readFileSync(join(ROOT, 'test/servers/services/services.sh'), 'utf8')) ?? [];
    expect(services['kafka-1']?.image).toBe(`apache/kafka:${tested}`);
  });

  it('gives nobody more rights than they need, nor all of the memory', () => {
    expect(but(({ cap_drop }) => cap_drop?.join() === 'ALL')).toEqual([]);
    expect(but(({ security_opt }) => security_opt?.includes('no-new-privileges:true') === true)).toEqual([]);
    expect(but(({ mem_limit }) => mem_limit !== undefined)).toEqual([]);
  });

  it('runs its own processes on a read-only root', () => {
    for (const [, { read_only, tmpfs, volumes: mounts }] of own) {
      expect([read_only, tmpfs]).toEqual([true, ['/tmp']]);
      expect(mounts?.filter((mount) => !mount.endsWith(':ro'))).toEqual([]);
    }
  });

  it('starts again whatever ends', () => {
    expect(but(({ restart }) => restart === 'unless-stopped')).toEqual(ONCE);
  });

  it('knows of every process whether it is well: the api by its image, the others by what is said here', () => {
    expect(but(({ healthcheck }) => healthcheck !== undefined)).toEqual(['api-1', 'api-2', ...ONCE]);
  });

  it('starts its own processes when the servers are there', () => {
    const waits = {
      eventstoredb: 'service_healthy',
      'kafka-1': 'service_healthy',
      'kafka-2': 'service_healthy',
      'kafka-3': 'service_healthy',
    };
    for (const [, { depends_on = {} }] of own)
      expect(Object.fromEntries(Object.entries(depends_on).map(([name, { condition }]) => [name, condition]))).toEqual({
        ...waits,
        'mongodb-replica-set': 'service_completed_successfully',
      });
  });

  it('is reached from this machine alone, and by the api alone', () => {
    expect(all.flatMap(([, { ports = [] }]) => ports)).toEqual(['127.0.0.1:3000:3000', '127.0.0.1:3001:3000']);
    expect(networks['servers']).toEqual({ internal: true });
    expect(but(({ networks: joined }) => joined?.join() === 'servers')).toEqual(['api-1', 'api-2', 'worker-1', 'worker-2']);
  });

  it('keeps what the servers keep in volumes of their own', () => {
    const kept = all.flatMap(([, { volumes: mounts = [] }]) => mounts).filter((mount) => !mount.startsWith('./'));
    expect(kept.map((mount) => mount.split(':')[0]).sort()).toEqual(Object.keys(volumes).sort());
  });

  it('mounts nothing that is not there, once it was prepared', () => {
    const mounted = all.flatMap(([, { volumes: mounts = [] }]) => mounts).filter((mount) => mount.startsWith('./'));
    const paths = [...new Set(mounted.map((mount) => mount.split(':')[0] ?? ''))];
    expect(paths.filter((path) => !path.startsWith('./secrets/') && !existsSync(join(DEPLOY, path)))).toEqual([]);
  });
});
