/** A fault in the events of a stream. */
export type HistoryFault = {
  readonly stream: string;
  /** The revision of the first event that is altered, unreadable or missing. */
  readonly revision: number;
  /**
   * `altered`: an event is missing, does not match its own hash, or does not contain the hash of the previous event.
   * `unreadable`: the hash chain is intact, but this version of the software does not know the event's type or schema version.
   */
  readonly kind: 'altered' | 'unreadable';
  readonly reason: string;
  /** The tenant of the stream. Null if it is unknown: the event that names the tenant may itself be altered. */
  readonly tenant: string | null;
};

/**
 * Returns whether a fault concerns the whole log, not a single stream. The `stream` of such a fault cannot be read. It is
 * `log@<position>` if events are missing from this position on. It is `log-end@<position>` if the log's last events are missing.
 */
export const isFaultOfLog = ({ stream }: Pick<HistoryFault, 'stream'>): boolean => stream.startsWith('log');

/** A stream cannot be used: it was changed after it was written, or a newer version of the software wrote it. */
export class BrokenHistory extends Error {
  override readonly name = 'BrokenHistory';

  constructor(
    readonly fault: HistoryFault,
    options?: ErrorOptions,
  ) {
    super(fault.reason, options);
  }
}

/** The broken streams that this process knows of. */
export abstract class StreamFaultLookup {
  abstract of(stream: string): HistoryFault | undefined;
  abstract all(): readonly HistoryFault[];
  /** Records a fault. A stream that is already broken keeps its first fault. */
  abstract record(fault: HistoryFault): void;
}

/** Throws BrokenHistory if the stream is known to be broken. */
export const assertNotBroken = (faults: Pick<StreamFaultLookup, 'of'>, stream: string): void => {
  const fault = faults.of(stream);
  if (fault) throw new BrokenHistory(fault);
};

/**
 * Returns whether an error is the fault of another tenant's stream. In that case, `tenant` gets the same response as for an unknown
 * id (contract 6.2).
 */
export const isOfOtherTenant = (tenant: string, error: unknown): error is BrokenHistory =>
  error instanceof BrokenHistory && error.fault.tenant !== null && error.fault.tenant !== tenant;

/** A lookup that knows no faults and records none. */
export const NO_FAULTS = {
  of: (): HistoryFault | undefined => undefined,
  all: (): readonly HistoryFault[] => [],
  record: (): void => undefined,
  clear: async (): Promise<void> => undefined,
};
