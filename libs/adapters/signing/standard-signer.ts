import { Webhook } from 'standardwebhooks';
import type { Signer } from '../../ports/signer.port.js';

/** Signs webhooks as Standard Webhooks 1.0 requires (contract 20.2), with the package `standardwebhooks`. */
export const standardSigner: Signer = {
  sign: (secret, { id, sentAt, body }) => new Webhook(secret).sign(id, sentAt, body),
};
