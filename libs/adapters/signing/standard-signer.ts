import { Webhook } from 'standardwebhooks';
import type { Signer } from '../../ports/signer.port.js';

/** "Standard Webhooks 1.0 headers and signatures", computed by the reference package of the standard. */
export const standardSigner: Signer = {
  sign: (secret, { id, sentAt, body }) => new Webhook(secret).sign(id, sentAt, body),
};
