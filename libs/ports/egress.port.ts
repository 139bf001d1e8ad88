/** What is posted to an address that a caller gave. */
export type OutgoingRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What the receiver answered: its headers by lower-case names, and the first 2 KiB of its body as text. */
export type OutgoingAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Why there is no answer. */
export type EgressFault =
  /** The address may not be used, or its name stands for none that may be: nothing was sent. */
  | 'forbidden_address'
  /** The name stands for no address now: nothing was sent. */
  | 'unknown_host'
  /** A header that no request may carry: nothing was sent. */
  | 'malformed_request'
  /** No connection came about, or it broke before there was an answer. */
  | 'unreachable'
  /** The receiver did not show the certificate of its name, or spoke no TLS. */
  | 'tls_failed'
  /** The whole exchange took longer than it may. */
  | 'timed_out'
  /** More came back than is read of any answer. */
  | 'answer_too_large'
  /** What came back is no HTTP. */
  | 'broken_answer'
  /** The proxy that leads out is not there, or refused to connect. */
  | 'proxy_failed';

/** There is no answer: the receiver may have got the request all the same, unless the fault says that nothing was sent. */
export class EgressFailed extends Error {
  override readonly name = 'EgressFailed';

  constructor(
    readonly fault: EgressFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * The only way out to an address that a caller supplied. Forbidden are all addresses but those of the public Internet,
 * in every notation and embedding, all schemes but http and https, all ports below 1024 but 80 and 443, and others where
 * well-known services listen that are no receivers of callers' own.
 */
export interface Egress {
  /** Why the address may not be used, in a sentence for the client that gave it; null when nothing speaks against it, its name not yet looked up. */
  objectionTo(url: string): string | null;
  /**
   * POSTs, and answers what the receiver answered, be it a failure or a redirect: a redirect is never followed. The
   * address is checked when it is connected to, and is the very one that was checked. Rejects with EgressFailed.
   */
  post(request: OutgoingRequest): Promise<OutgoingAnswer>;
}
