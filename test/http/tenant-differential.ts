import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { OperationRecord } from '../../apps/api/http/operation.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import type { AccessPolicy } from '../../libs/settings/settings.js';
import type { HttpResponse } from '../servers/client.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { itOnAnyProfile as it, startOwnPetstore, startStoreOnCluster, type TestPetstore } from '../servers/test-petstore.js';
import { countingHasher } from './counting-hasher.js';
import { ALL_OPERATIONS, exampleOf } from './example-requests.js';
import { normalized, readingOwnWrites, runScript, type RecordedResponse, type ScriptTenant } from './tenant-script.js';
import { override } from '../../libs/eventsourcing/testing/override.js';

const TENANT = '0190a000-0000-7000-8000-00000000000a';
const OTHER = '0190a000-0000-7000-8000-00000000000b';
/** Milliseconds by which the clock advances before each request of the tenant, so that it stays within its rate limits. */
const INTERVAL = 10_000;

const ownAddress = (): string => '192.0.2.1';
/** Returns many addresses of one network, because the clock does not advance for the requests of the other tenants. */
const anyAddress =
  (network: number): ScriptTenant['address'] =>
  (nth) =>
    `10.0.${network}.${nth % 250}`;

/** Whether the tokens of a tenant may not use an operation, because its data belongs to no tenant (contract 6.5). */
const isForbidden = ({ wholeStore, access }: OperationRecord): boolean => wholeStore === true && access.documented !== 'nothing';

/** Lets two tenants send requests alternately. When one has sent its last request, the other no longer waits for turns. */
const createTurns = () => {
  let current = 0;
  let isAlone = false;
  let wake: () => void = () => undefined;
  const pass = (to: number): void => {
    current = to;
    wake();
  };
  const turnsOf =
    (own: number): ScriptTenant['inTurn'] =>
    async (work) => {
      while (current !== own && !isAlone) await new Promise<void>((resolve) => (wake = resolve));
      try {
        return await work();
      } finally {
        pass(1 - own);
      }
    };
  const end = (): void => {
    isAlone = true;
    wake();
  };
  return { turnsOf, end };
};

/** A new service, and a function that advances its clock. On servers the clock cannot be set, so the rate limit is off. */
type Store = { readonly service: TestPetstore; readonly advance: () => void; readonly hasClock: boolean };

const startStore = async (policy: AccessPolicy): Promise<Store> => {
  const settings = { ACCESS_POLICY: policy, TRUSTED_PROXIES: '127.0.0.1' };
  const onCluster = await startStoreOnCluster(settings);
  if (onCluster) return { service: onCluster, advance: () => undefined, hasClock: false };
  const clock = manualClock('2026-01-02T03:04:05Z');
  // Only requests advance the clock. Background work uses real timers, so it does not wait for the next request.
  const service = await startOwnPetstore(
    { ...settings, RATE_LIMIT: '100000/60s' },
    {
      clock: override(systemClock, { now: () => clock.now(), elapsed: () => clock.elapsed() }),
      passwords: countingHasher(),
    },
  );
  return { service, advance: () => clock.advance(INTERVAL), hasClock: true };
};

/** Runs the script as one tenant of a new service. If `others` is true, another tenant and the shared pool run it, too. */
const responsesOf = async ({ service, advance, hasClock }: Store, receiver: Receiver, others: boolean): Promise<readonly string[]> => {
  const asTenant = (tenant: string | undefined, address: ScriptTenant['address'], inTurn: ScriptTenant['inTurn']): ScriptTenant => ({
    service: readingOwnWrites(service),
    tenant,
    address,
    receiver: receiver.url,
    inTurn,
  });
  const { turnsOf, end } = createTurns();
  const afterInterval = (work: () => Promise<HttpResponse>): Promise<HttpResponse> => {
    advance();
    return work();
  };
  let recorded: readonly RecordedResponse[];
  if (others) {
    await runScript(asTenant(undefined, anyAddress(1), (work) => work()));
    const [own] = await Promise.all([
      runScript(asTenant(TENANT, ownAddress, (work) => turnsOf(1)(() => afterInterval(work)))).finally(end),
      runScript(asTenant(OTHER, anyAddress(2), turnsOf(0))).finally(end),
    ]);
    recorded = own;
  } else recorded = await runScript(asTenant(TENANT, ownAddress, afterInterval));
  return normalized(recorded, service.url, hasClock);
};

/** Tests that a tenant cannot see from its responses whether the service has other tenants. */
export const tenantDifferential = (policy: AccessPolicy): void => {
  /**
   * Proves contract 2.8, contract 5.7, contract 6.1, contract 6.2, contract 6.3, contract 8.1,
   * contract 9.4, contract 11.2, contract 30.2, contract 39.1 and contract 41.8. Proves rows of contract 42.21.
   */
  describe(`a tenant under the access policy ${policy}`, () => {
    let receiver: Receiver;
    const stores: TestPetstore[] = [];
    beforeAll(async () => {
      receiver = await openReceiver();
    });
    afterAll(async () => {
      for (const service of stores) await service.stop();
      await receiver.close();
    });

    const open = async (): Promise<Store> => {
      const store = await startStore(policy);
      stores.push(store.service);
      return store;
    };

    it(`gets the same responses to ${ALL_OPERATIONS.length} operations with and without other tenants`, async () => {
      const alone = await responsesOf(await open(), receiver, false);
      const amongOthers = await responsesOf(await open(), receiver, true);
      const different = alone.flatMap((line, step) => (line === amongOthers[step] ? [] : [[line, amongOthers[step]]]));
      expect(different.slice(0, 3)).toEqual([]);
      expect(amongOthers.length).toBe(alone.length);
      const failed = ALL_OPERATIONS.filter((operation) => {
        const status = isForbidden(operation) ? 403 : (exampleOf(operation).status ?? operation.success.status);
        return !alone.some((line) => line.startsWith(`${operation.id}: success: ${status} `));
      });
      expect(failed.map(({ id }) => id)).toEqual([]);
    });
  });
};
