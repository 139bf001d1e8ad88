import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { DEPLOY, readCompose, type Container } from './deploy-files.js';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const { services, networks, volumes } = readCompose();
const all = Object.entries(services);
const own = all.filter(([, { image }]) => image.startsWith('petstore:'));

const namesOf = (entries: readonly (readonly [string, Container])[]): readonly string[] => entries.map(([name]) => name);
/** Returns the names of the services that break a rule. */
const servicesBreaking = (rule: (service: Container) => boolean): readonly string[] => namesOf(all.filter(([, service]) => !rule(service)));

/** Services that run once and then end. The api and worker services start after them. */
const RUN_ONCE = ['mongodb-replica-set'];

describe('compose.yaml', () => {
  it('starts two APIs, two workers and replicated servers', () => {
    expect(namesOf(all)).toEqual([
      ...['api-1', 'api-2', 'worker-1', 'worker-2'],
      ...['eventstoredb', 'kafka-1', 'kafka-2', 'kafka-3', 'mongodb-1', 'mongodb-2', 'mongodb-3', 'mongodb-replica-set'],
    ]);
    expect(namesOf(own)).toEqual(['api-1', 'api-2', 'worker-1', 'worker-2']);
  });

  it('builds the image of this version once, and pins the other images', () => {
    expect(namesOf(all.filter(([, { build }]) => build !== undefined))).toEqual(['api-1']);
    expect(own.map(([, { image }]) => image)).toEqual(own.map(() => `petstore:${version}`));
    expect(servicesBreaking(({ image }) => /:\d+\.\d+\.\d+$/.test(image))).toEqual([]);
  });

  it('runs the same version of Kafka as the tests', () => {
    const [, testedVersion] = /^KAFKA_VERSION=(\S+)/m.exec(readFileSync(join(ROOT, 'test/servers/services/services.sh'), 'utf8')) ?? [];
    expect(services['kafka-1']?.image).toBe(`apache/kafka:${testedVersion}`);
  });

  it('limits the rights and the memory of every service', () => {
    expect(servicesBreaking(({ cap_drop }) => cap_drop?.join() === 'ALL')).toEqual([]);
    expect(servicesBreaking(({ security_opt }) => security_opt?.includes('no-new-privileges:true') === true)).toEqual([]);
    expect(servicesBreaking(({ mem_limit }) => mem_limit !== undefined)).toEqual([]);
  });

  it('runs APIs and workers on a read-only root file system', () => {
    for (const [, { read_only, tmpfs, volumes: mounts }] of own) {
      expect([read_only, tmpfs]).toEqual([true, ['/tmp']]);
      expect(mounts?.filter((mount) => !mount.endsWith(':ro'))).toEqual([]);
    }
  });

  it('restarts every service except those that run once', () => {
    expect(servicesBreaking(({ restart }) => restart === 'unless-stopped')).toEqual(RUN_ONCE);
  });

  it('has a health check for every server; the image has the check of APIs and workers', () => {
    expect(servicesBreaking(({ healthcheck }) => healthcheck !== undefined)).toEqual([...namesOf(own), ...RUN_ONCE]);
  });

  it('starts APIs and workers when the servers are healthy', () => {
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

  it('publishes only the ports of the APIs, on loopback', () => {
    expect(all.flatMap(([, { ports = [] }]) => ports)).toEqual(['127.0.0.1:3000:3000', '127.0.0.1:3001:3000']);
    expect(networks['servers']).toEqual({ internal: true });
    expect(servicesBreaking(({ networks: joined }) => joined?.join() === 'servers')).toEqual(['api-1', 'api-2', 'worker-1', 'worker-2']);
  });

  it('stores the data of the servers in named volumes', () => {
    const mountedVolumes = all.flatMap(([, { volumes: mounts = [] }]) => mounts).filter((mount) => !mount.startsWith('./'));
    expect(mountedVolumes.map((mount) => mount.split(':')[0]).sort()).toEqual(Object.keys(volumes).sort());
  });

  it('mounts only files that exist or that prepare.sh creates', () => {
    const mounted = all.flatMap(([, { volumes: mounts = [] }]) => mounts).filter((mount) => mount.startsWith('./'));
    const paths = [...new Set(mounted.map((mount) => mount.split(':')[0] ?? ''))];
    expect(paths.filter((path) => !path.startsWith('./secrets/') && !existsSync(join(DEPLOY, path)))).toEqual([]);
  });
});
