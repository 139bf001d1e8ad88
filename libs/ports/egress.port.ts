/** A POST request to an address that a caller supplied. */
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
  /** The address is forbidden, or its name resolves to no allowed address: nothing was sent. */
  | 'forbidden_address'
  /** The name does not resolve: nothing was sent. */
  | 'unknown_host'
  /** A header is invalid: nothing was sent. */
  | 'malformed_request'
  /** The connection failed, or closed before a response. */
  | 'unreachable'
  /** The receiver's certificate does not match its name, or it does not support TLS. */
  | 'tls_failed'
  /** The exchange exceeded its time limit. */
  | 'timed_out'
  /** The response exceeded the size limit. */
  | 'answer_too_large'
  /** The response is not valid HTTP. */
  | 'broken_answer'
  /** The outgoing proxy is unreachable, or rejects the connection. */
  | 'proxy_failed';

/**
 * A request got no response. The receiver may still have received it, unless the fault says that nothing was
 * sent.
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
 * Sends every request to an address that a caller supplied. Only addresses of the public Internet, in any
 * notation, and the schemes http and https are allowed. Ports below 1024 other than 80 and 443 are forbidden,
 * and so are the ports of well-known services.
 */
export interface Egress {
  /**
   * Returns why an address is forbidden, in a sentence for the client, or null. Does not resolve its name.
   */
  validateUrl(url: string): string | null;
  /**
   * Sends a POST request and returns the response, whatever its status. Redirects are not followed. Checks
   * the resolved address, and connects to that address without resolving the name again. Rejects with
   * EgressFailed.
   */
  post(request: OutgoingRequest): Promise<OutgoingResponse>;
}
