import { systemClock } from '../../../libs/adapters/system/index.js';
import { createTokens, type Tokens } from '../../../libs/adapters/tokens/index.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { KeyVault } from '../../../libs/eventsourcing/ports/key-vault.port.js';

/** Creates the signer and verifier of access tokens. Its seed is a service key, which the first start creates. */
export const openTokens = async (keys: KeyVault, clock: Clock = systemClock): Promise<Tokens> =>
  createTokens({ seed: await keys.serviceKey('token-signing'), issuer: 'petstore', clock });
