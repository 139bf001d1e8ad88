import { Webhook } from 'standardwebhooks';
import type { Signer } from '../../ports/signer.port.js';

/** Signs as Standard Webhooks 1.0 (contract 20.1), with the reference package of the standard. */
export const standardSigner: Signer = {
  sign: (secret, { id, sentAt, body }) => new Webhook(secret).sign(id, sentAt, body),
};
