import { afterAll, beforeAll, describe, expect, it as everywhere } from '@jest/globals';
import { itOnAnyProfile, startTestPetstore, startStrictStore } from '../servers/test-petstore.js';
import { FUNCTION_LEVEL, OBJECT_LEVEL, PROPERTY_LEVEL } from './owasp-access.js';
import { openScene, readVictim, type Attack, type Scene } from './owasp-attacks.js';
import { UNSAFE_CONSUMPTION } from './owasp-consumption.js';
import { AUTHENTICATION } from './owasp-identity.js';
import { BUSINESS_FLOWS, CONSUMPTION } from './owasp-resources.js';
import { INVENTORY, MISCONFIGURATION, REQUEST_FORGERY } from './owasp-requests.js';

/** The OWASP API Security Top 10 of 2023. */
const CATEGORIES: readonly (readonly [name: string, attacks: readonly Attack[]])[] = [
  ['API1 object level authorization', OBJECT_LEVEL],
  ['API2 authentication', AUTHENTICATION],
  ['API3 object property level authorization', PROPERTY_LEVEL],
  ['API4 resource consumption', CONSUMPTION],
  ['API5 function level authorization', FUNCTION_LEVEL],
  ['API6 sensitive business flows', BUSINESS_FLOWS],
  ['API7 server side request forgery', REQUEST_FORGERY],
  ['API8 security misconfiguration', MISCONFIGURATION],
  ['API9 inventory management', INVENTORY],
  ['API10 consumption of other APIs', UNSAFE_CONSUMPTION],
];

describe.each([
  ['documented', everywhere, startTestPetstore],
  ['strict', itOnAnyProfile, startStrictStore],
] as const)('under the policy %s', (policy, it, start) => {
  let scene: Scene;
  let before: readonly string[];
  beforeAll(async () => {
    if (it === (everywhere.skip as typeof it)) return;
    scene = await openScene(await start(), policy);
    before = await readVictim(scene);
  });
  afterAll(async () => {
    await scene?.service.stop();
    await scene?.receiver.close();
    await scene?.raw.close();
  });

  describe.each(CATEGORIES)('%s: the service withstands the attempt:', (_, attacks) => {
    it.each(attacks.map((one) => [one.name, one.contract, one] as const))(
      '%s (%s)',
      async (_name, _contract, { attempt, expected, check }) => {
        const response = await scene.send(...(await attempt(scene)));
        expect({ status: response.status, text: response.text.slice(0, 300) }).toMatchObject({ status: expected[policy] });
        await check(response, scene);
      },
    );
  });

  it('the attacks have changed nothing of the victim', async () => expect(await readVictim(scene)).toEqual(before));
});

describe('the suite', () => {
  everywhere.each(CATEGORIES)('has at least ten attacks on %s', (_, attacks) => expect(attacks.length).toBeGreaterThanOrEqual(10));
});
