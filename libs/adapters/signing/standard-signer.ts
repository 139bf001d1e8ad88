import { Webhook } from 'standardwebhooks';
import type { Signer } from '../../ports/signer.port.js';

/** "Standard Webhooks 1.0 headers and signatures", by the package of those who wrote the standard. */
export const standardSigner: Signer = {
  sign: (secret, { id, sentAt, body }) => new Webhook(secret).sign(id, sentAt, body),
};
