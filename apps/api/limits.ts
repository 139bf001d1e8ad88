/** The limits of requests and connections (contract 26.1, 26.2). Sizes are in bytes. */
export const LIMITS = {
  /** Maximum size of the body of a request. The maximum for an upload is `MAX_UPLOAD_BYTES` in image-uploads.ts. */
  bodyBytes: 1_048_576,
  /**
   * Maximum total size of the incomplete request bodies in this process, without uploads. Bodies for the authorization
   * server are counted separately, up to the same maximum.
   */
  bodiesBytes: 64 * 1_048_576,
  /** Maximum total size of the incomplete uploads in this process. */
  uploadsBytes: 128 * 1_048_576,
  /** Maximum size of address and headers together. */
  headerBytes: 16_384,
  /** Maximum time in which the headers of a request must arrive. */
  headersMilliseconds: 10_000,
  /** Maximum time in which the body of a request must arrive. */
  requestMilliseconds: 30_000,
  /** Maximum time in which an upload must arrive. */
  uploadMilliseconds: 300_000,
  /** What an upload must bring on average, not counting its first `uploadGraceMilliseconds`. */
  uploadBytesPerSecond: 16_384,
  uploadGraceMilliseconds: 10_000,
  /** Maximum running time of a handler. If the handler takes longer, the response is 503. */
  handlerMilliseconds: 30_000,
  /** Time after which an idle connection is closed. */
  keepAliveMilliseconds: 72_000,
  /**
   * Maximum time without traffic during a request. This time exceeds `handlerMilliseconds`, so that the connection is still
   * open when the service sends the 503 for a slow handler.
   */
  connectionMilliseconds: 45_000,
  /**
   * Interval between two checks for overdue requests and handlers. With Node's default of 30 s, headers could take 40 s
   * although their limit is 10 s.
   */
  checkMilliseconds: 2_000,
  /** A shorter body is read to its end after a refusal, and its connection is kept. */
  keptBytes: 65_536,
  /** Maximum number of bytes, and maximum time, of a refused body that are dropped. Then the connection is closed. */
  droppedBytes: 64 * 1_048_576,
  droppedMilliseconds: 30_000,
  /** Maximum time without a byte of a refused body. */
  droppedGapMilliseconds: 5_000,
  /** Maximum number of connections whose refused bodies are dropped, in this process and of one address. Others are closed at once. */
  droppedConnections: 256,
  droppedConnectionsOfAddress: 32,
  /** Maximum number of waiting requests on one connection. A request waits until the request before it has its response. */
  waitingRequests: 250,
  /** Maximum memory of the waiting requests of all connections together. */
  waitingBytes: 64 * 1_048_576,
  /** Maximum number of searches that run at the same time. More wait for their turn. */
  searchesAtOnce: 2,
  /** Maximum number of searches that wait, of all callers and of one. Others are rejected with 503. */
  waitingSearches: 200,
  waitingSearchesOfCaller: 50,
  /** Maximum number of response bytes that wait in the memory of this process until clients read them. */
  unreadBytes: 64 * 1_048_576,
  /** Interval between two checks of `unreadBytes`. */
  unreadCheckMilliseconds: 250,
};
