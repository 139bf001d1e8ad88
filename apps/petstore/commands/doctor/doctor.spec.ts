import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { checkCertificate, checkClock, checkDisk, checkToken } from './check-machine.js';
import { hostsIn } from './check-servers.js';
import { ErrorResponse } from '../../client/service-client.js';
import { CommandError } from '../../errors/command-error.js';
import { checkReady, checkService } from './check-service.js';
import { exitCodeOf, FINDINGS, found, type FindingName } from './finding.js';

const NOW = new Date('2026-01-02T03:04:05.678Z');
const codeOf = (...findings: readonly FindingName[]): number => exitCodeOf(findings.map((finding) => ({ finding })));

/** Proves contract 43.10. */
describe('the exit code of the doctor', () => {
  it.each<readonly [number, readonly FindingName[]]>([
    [0, []],
    [1, ['read-model-paused', 'disk-nearly-full']],
    [3, ['keys-unusable', 'files-unusable', 'stuck']],
    [4, ['clock-wrong', 'topic-differs']],
    [5, ['server-away', 'port-in-use']],
    [6, ['settings-invalid', 'parked']],
    [7, ['read-model-paused', 'stuck']],
  ])('is %i after %j', (code, findings) => expect(codeOf(...findings)).toBe(code));
});

describe('a finding', () => {
  it('names a section that the runbook has', () => {
    const headings = [...readFileSync('deploy/runbook.md', 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
    const missing = Object.keys(FINDINGS).filter((finding) => {
      const section = found(finding as FindingName, '', '').runbook.split('#')[1] ?? '';
      return !headings.includes(section);
    });
    expect(missing).toEqual([]);
  });
});

describe('the doctor', () => {
  it('finds a certificate that has expired, and one that ends soon', () => {
    const kafka = { name: 'Kafka', host: '127.0.0.1', port: 9092 };
    const endingIn = (days: number) => checkCertificate({ ...kafka, end: new Date(NOW.getTime() + days * 86_400_000) }, NOW);
    expect(endingIn(-1)).toMatchObject([
      { finding: 'certificate-expired', text: 'the certificate of Kafka (127.0.0.1:9092) has expired at 2026-01-01T03:04:05.678Z' },
    ]);
    expect(endingIn(13)).toMatchObject([
      { finding: 'certificate-ends', text: 'the certificate of Kafka (127.0.0.1:9092) ends in 13 days' },
    ]);
    expect(endingIn(14)).toEqual([]);
  });

  it('finds a full disk, and one that is nearly full', () => {
    const codes = [1_000, 9e9, 11e9].map((freeBytes) => checkDisk('/data', { freeBytes, bytes: 1e11 }).map(({ finding }) => finding));
    expect(codes).toEqual([['disk-full'], ['disk-nearly-full'], []]);
  });

  it('finds a clock that differs from another one by more than a minute', () => {
    const minutes = (count: number): Date => new Date(NOW.getTime() + count * 60_000);
    expect(checkClock(minutes(10), 'the last event', NOW, 'may be older')).toMatchObject([
      { finding: 'clock-wrong', text: 'the clock of this machine is 600 seconds behind the last event' },
    ]);
    expect(checkClock(minutes(-10), 'the last event', NOW, 'may be older')).toEqual([]);
    expect(checkClock(minutes(-10), 'the clock of MongoDB', NOW, 'is now')).toMatchObject([
      { text: 'the clock of this machine is 600 seconds ahead of the clock of MongoDB' },
    ]);
    expect(checkClock(minutes(1), 'the clock of MongoDB', NOW, 'is now')).toEqual([]);
  });

  it('finds a long-lived token that ends soon, and no token of an hour', () => {
    const token = (iat: number, exp: number): string =>
      `header.${Buffer.from(JSON.stringify({ iat, exp })).toString('base64url')}.signature`;
    const day = 86_400;
    const now = NOW.getTime() / 1_000;
    expect(checkToken(token(now - 80 * day, now + 10 * day), NOW)).toMatchObject([{ finding: 'token-ends' }]);
    expect(checkToken(token(now - 80 * day, now + 20 * day), NOW)).toEqual([]);
    expect(checkToken(token(now, now + 3_600), NOW)).toEqual([]);
    expect(checkToken('not a token', NOW)).toEqual([]);
  });

  it('reads the hosts of an address', () => {
    expect(hostsIn('esdb://admin:secret@one:2114,two,[::1]:99?tls=true', 2113)).toEqual([
      { host: 'one', port: 2114 },
      { host: 'two', port: 2113 },
      { host: '::1', port: 99 },
    ]);
  });

  it('finds what a process says of itself', () => {
    const findings = checkReady({
      writable: false,
      reason: 'the disk of the folder has no space',
      behindSeconds: { pets_v7: 61, orders_v3: 60, relay: 90, users_v1: null },
      consumers: { processes: { behind: 7, behindSeconds: 100, parked: 0 }, announcements: { behind: 0, parked: 0 } },
      servers: { kafka: { status: 'down', since: '2026-01-02T03:04:05.678Z' }, mongodb: { status: 'up' } },
      warnings: ['topic petstore.orders.v1: it has compaction'],
    });
    expect(findings.map(({ finding, text }) => [finding, text])).toEqual([
      ['not-writable', 'the service rejects writes: the disk of the folder has no space'],
      ['server-away', 'the service has not reached kafka since 2026-01-02T03:04:05.678Z'],
      ['consumer-behind', 'the relay is 90 seconds behind'],
      ['consumer-behind', 'the consumer processes is 100 seconds and 7 messages behind'],
      ['topic-noticed', 'topic petstore.orders.v1: it has compaction'],
    ]);
    expect(checkReady({ writable: true, consumers: null })).toEqual([]);
  });

  describe('of a service that does not answer as this release does', () => {
    const ask = (answer: (path: string) => unknown) => {
      const asked: string[] = [];
      const request = async (_: string, path: string) => {
        asked.push(path);
        return { status: 200, json: answer(path) as never };
      };
      return { asked, findings: async () => (await checkService(() => ({ request }))).map(({ finding }) => finding) };
    };

    it('finds an earlier release', async () => {
      const { findings } = ask((path) => {
        throw new ErrorResponse(`GET ${path}`, 404, {});
      });
      expect(new Set(await findings())).toEqual(new Set(['version-differs']));
    });

    it('finds answers of another shape', async () => expect(new Set(await ask(() => null).findings())).toEqual(new Set(['service-away'])));

    it('asks no more after the first request without an answer', async () => {
      const { asked, findings } = ask(() => {
        throw new CommandError('no response within 15 s');
      });
      expect([await findings(), asked]).toEqual([['service-away'], ['/health/ready']]);
    });
  });
});
