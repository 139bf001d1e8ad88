/** What is wrong with a stream from one of its events on. */
export type HistoryFault = {
  readonly stream: string;
  /** The first event at fault, or the first that is missing. */
  readonly revision: number;
  /**
   * `altered`: an event does not match its hash, or the hash of the event before it. `unreadable`: the chain is whole,
   * but this version of the software does not know the event's type or schema version.
   */
  readonly kind: 'altered' | 'unreadable';
  readonly reason: string;
  /** The tenant whose stream it is; null where that is not known, since the event that says so may be the altered one. */
  readonly tenant: string | null;
};

/** A stream cannot be used: somebody changed it after it was written, or a newer version of the software wrote it. */
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
export interface KnownFaults {
  of(stream: string): HistoryFault | undefined;
  all(): readonly HistoryFault[];
  /** Records a fault; a stream that is known to be broken keeps its first one. */
  note(fault: HistoryFault): void;
}

/** Throws BrokenHistory when the stream is known to be broken. */
export const refuseBroken = (faults: Pick<KnownFaults, 'of'>, stream: string): void => {
  const fault = faults.of(stream);
  if (fault) throw new BrokenHistory(fault);
};

/** Whether a broken stream belongs to another tenant, to whom alone its state may be shown. */
export const isOfAnother = (tenant: string, { fault }: BrokenHistory): boolean => fault.tenant !== null && fault.tenant !== tenant;

/** Where nothing is known to be broken, and nobody asks. */
export const NO_FAULTS = {
  of: (): HistoryFault | undefined => undefined,
  all: (): readonly HistoryFault[] => [],
  note: (): void => undefined,
  clear: async (): Promise<void> => undefined,
};
