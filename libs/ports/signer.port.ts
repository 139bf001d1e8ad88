/** The signed content of a message: its id, the time it is sent, and its body. */
export type Signable = { readonly id: string; readonly sentAt: Date; readonly body: string };

/** Signs outgoing messages by Standard Webhooks 1.0 with a secret shared with the receiver. */
export interface Signer {
  /**
   * Returns one signature for the webhook-signature header: `v1,` and base64. `secret` is `whsec_` and
   * base64.
   */
  sign(secret: string, message: Signable): string;
}
