/** What is signed: a message's id, when it is sent, and its body. */
export type Signable = { readonly id: string; readonly sentAt: Date; readonly body: string };

/** Signs messages to the outside by Standard Webhooks 1.0, with a secret that the receiver shares. */
export interface Signer {
  /** One signature as it stands in the header webhook-signature: `v1,` and base64. `secret` is `whsec_` and base64. */
  sign(secret: string, message: Signable): string;
}
