/** The signed content of a message: its id, the time it is sent, and its body. */
export type Signable = { readonly id: string; readonly sentAt: Date; readonly body: string };

/** Signs outgoing messages as Standard Webhooks 1.0 specifies, with a secret that the receiver also has. */
export interface Signer {
  /**
   * Returns one signature for the webhook-signature header: `v1,` followed by base64. `secret` is `whsec_`
   * followed by base64.
   */
  sign(secret: string, message: Signable): string;
}
