import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Artifacts } from '../../libs/application/oauth/artifacts.js';
import { ARTIFACTS, REFRESH_USES } from '../../libs/application/oauth/collections.js';
import { manualClock, type ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { openEmbeddedStore, type EmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';

const KIND = 'RefreshToken';
const SECONDS = 1_000;

let clock: ManualClock;
let store: EmbeddedStore;
let artifacts: Artifacts;
beforeEach(async () => {
  clock = manualClock();
  store = await openEmbeddedStore({ directory: ':memory:', clock, log: createLog('silent') });
  artifacts = await Artifacts.open(store.documents, store.keys, clock);
});
afterEach(() => store.close());

const expiresAt = (): number => Math.floor(clock.now().getTime() / 1_000) + 3_600;
const put = (name: string, parent?: string): Promise<void> =>
  artifacts.put(KIND, name, { grantId: 'grant' }, { expiresAt: expiresAt(), ...(parent !== undefined && { parent }) });
const use = (name: string): Promise<boolean> => artifacts.useRefreshToken(KIND, name);
const count = (collection = REFRESH_USES): Promise<number> => store.documents.count(collection, {});

/** Proves contract 32.2. */
describe('a refresh token', () => {
  it('can be used again for 10 seconds after its first use', async () => {
    await put('first');
    expect(await use('first')).toBe(true);
    clock.advance(10 * SECONDS - 1);
    expect(await use('first')).toBe(true);
    clock.advance(1);
    expect(await use('first')).toBe(false);
  });

  it('can be used five times within that time', async () => {
    await put('first');
    const uses = [];
    for (let times = 0; times < 7; times++) uses.push(await use('first'));
    expect(uses).toEqual([true, true, true, true, true, false, false]);
  });

  it('can no longer be used when a token that it gave is used', async () => {
    await put('first');
    await use('first');
    await put('second', 'first');
    await put('lost', 'first');
    expect([await use('second'), await use('first'), await use('second'), await use('lost')]).toEqual([true, false, true, true]);
  });

  it('is marked as consumed for an earlier version, which ends the grant at its second use', async () => {
    await put('first');
    await use('first');
    const consumed = Math.floor(clock.now().getTime() / 1_000);
    expect(await artifacts.find(KIND, 'first')).toEqual({ grantId: 'grant', consumed });
    expect(await artifacts.consume(KIND, 'first')).toBe(false);
  });

  it('that an earlier version has consumed cannot be used again', async () => {
    await put('first');
    expect(await artifacts.consume(KIND, 'first')).toBe(true);
    expect([await use('first'), await count()]).toEqual([false, 0]);
  });

  it('that is missing cannot be used', async () => {
    expect([await use('missing'), await count()]).toEqual([false, 0]);
  });

  it('can be used again within the time, and not later, if the process was killed in the middle of the first use', async () => {
    await put('first');
    const key = (await store.documents.find(ARTIFACTS, { where: {}, sort: [], limit: 1, offset: 0 }))[0]?.key ?? '';
    const fields = { grantId: 'grant', expiresAt: expiresAt() };
    // The first step of a use. The process is killed before the second, which marks the token as consumed.
    await store.documents.use(REFRESH_USES, { key, json: '{}', fields, revision: 0 }, { times: 5, milliseconds: 10 * SECONDS });
    expect(await use('first')).toBe(true);
    clock.advance(10 * SECONDS);
    expect(await use('first')).toBe(false);
  });

  it('leaves no count of its uses after the end of its grant, and after its expiry', async () => {
    await put('first');
    await use('first');
    await artifacts.removeGrant('grant');
    expect([await count(), await count(ARTIFACTS)]).toEqual([0, 0]);
    await put('second');
    await use('second');
    clock.advance(3_601 * SECONDS);
    await put('third');
    expect([await count(), await count(ARTIFACTS)]).toEqual([0, 1]);
  });
});
