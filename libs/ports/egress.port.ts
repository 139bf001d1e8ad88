/** A POST request to a URL that a client supplied. */
export type OutgoingRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The receiver's response: its headers by lower-case names, and the first 2 KiB of its body as text. */
export type OutgoingResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Why a request has no response. */
export type EgressFault =
  /** The URL, or one of the addresses of its host name, is forbidden: nothing was sent (contract 21.3). */
  | 'forbidden_address'
  /** The host name does not resolve: nothing was sent. */
  | 'unknown_host'
  /** A header is invalid: nothing was sent. */
  | 'malformed_request'
  /** The connection failed, or was closed before a response. */
  | 'unreachable'
  /** The receiver's certificate is invalid or does not match its host name, or the receiver does not support TLS. */
  | 'tls_failed'
  /** The request took longer than its time limit. */
  | 'timed_out'
  /** The headers of the response exceed the size limit. */
  | 'answer_too_large'
  /** The response is not valid HTTP. */
  | 'broken_answer'
  /** The outgoing proxy is unreachable, or rejects the connection. */
  | 'proxy_failed';

/**
 * Thrown when a request has no response. The receiver may have received the request, unless the fault means
 * that nothing was sent.
 */
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
 * Sends requests to URLs that clients supplied. A URL must have the scheme http or https. Its address must be on the public
 * Internet, in whatever notation the URL contains the address. Ports below 1024 other than 80 and 443 are forbidden, and so are
 * the ports of well-known services. With EGRESS_ALLOW=loopback, loopback addresses and all their ports are allowed too (contract
 * 21.4).
 */
export abstract class Egress {
  /**
   * Returns null for an allowed URL, or a sentence for the client that says why the URL is forbidden. Does
   * not resolve the host name.
   */
  abstract validateUrl(url: string): string | null;
  /**
   * Sends a POST request and returns the response, whatever its status. Does not follow redirects. Resolves
   * the host name once, checks the addresses, and connects only to them. Rejects with EgressFailed.
   */
  abstract post(request: OutgoingRequest): Promise<OutgoingResponse>;
}
