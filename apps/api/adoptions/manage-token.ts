import type { CreationResult } from '../../../libs/application/request.js';
import { SHARED_POOL } from '../../../libs/eventsourcing/message.js';
import type { TokenSigner } from '../../../libs/ports/access-token.port.js';

/** The lifetime of a `manageToken`: a year (contract 36.7). */
const LIFETIME_SECONDS = 31_536_000;

/**
 * Adds a new `manageToken` to the response to a submission. The service does not store tokens, so a replayed response has a
 * new token. The token of the first response stays valid (contract 36.7).
 */
export const withManageToken = async (signer: TokenSigner, adoption: CreationResult, tenant: string): Promise<CreationResult> => {
  const manageToken = await signer.sign({
    subject: `adoption:${adoption.id}`,
    scopes: [],
    adoptionId: adoption.id,
    expiresInSeconds: LIFETIME_SECONDS,
    ...(tenant !== SHARED_POOL && { tenant }),
  });
  return { ...adoption, json: JSON.stringify({ ...(JSON.parse(adoption.json) as object), manageToken }) };
};
