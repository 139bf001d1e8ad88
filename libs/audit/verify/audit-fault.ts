/** A fault that an audit has found (contract 35.4). */
export type AuditFault = {
  /**
   * `altered`: an event does not match its hash or does not follow the previous event of its stream. `missing`: the log
   * lacks events. `rewritten`: events differ from those that a checkpoint covers. `checkpoint`: a checkpoint is not
   * genuine. `time`: an event is older than an earlier one in the log. `claim`: two accounts have the same name. `copy`: a
   * checkpoint that was collected elsewhere cannot be read.
   */
  readonly kind: 'altered' | 'missing' | 'rewritten' | 'checkpoint' | 'time' | 'claim' | 'copy';
  /** The event with the fault, if it is known. */
  readonly stream?: string;
  readonly revision?: number;
  /** The numbers of the first and the last event that the fault concerns. The log's first event has the number 1. */
  readonly range?: { readonly from: number; readonly to: number };
  /** The line of a copy, if the fault is not in the log. */
  readonly place?: string;
  readonly reason: string;
};

/** Returns what an operator must do about a fault, as a sentence. */
export const remedyOf = ({ kind }: Pick<AuditFault, 'kind'>): string => REMEDIES[kind];

const RESTORE = 'Keep the log as evidence (petstore backup --as-evidence) and restore a backup from before the change.';

const REMEDIES: Readonly<Record<AuditFault['kind'], string>> = {
  altered: RESTORE,
  missing: RESTORE,
  rewritten: `${RESTORE} To narrow the range of events, pass more checkpoints with --against.`,
  checkpoint:
    'Compare the checkpoint with the copy in the topic or in the output of the service. Verify it with the public key that you keep.',
  time: 'Check the clocks of the machines at that time.',
  claim: 'Rename one of the two accounts.',
  copy: 'Take the line again from another copy of the checkpoints. A damaged copy may hide that the log was rewritten.',
};
