/**
 * What the page and its worker say to each other. The worker verifies with the code of `petstore audit verify`, in a thread of its
 * own. Files and their contents stay in this browser.
 */

export type Fault = { readonly place: string; readonly reason: string };

/** The checkpoints that an auditor has kept. */
export type Copies = { readonly lines: number; readonly checkpoints: number; readonly unreadable: number };

export type Checkpoint = {
  readonly index: number;
  readonly size: number;
  readonly root: string;
  readonly time: string;
  readonly keyId: string;
};

/** What a genuine manifest states. */
export type Statement = {
  readonly store: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly tenant: string | null;
  readonly stream: string | null;
  readonly count: number;
  readonly digest: string;
  readonly keyId: string;
  readonly cover: Checkpoint;
};

/** An event of an export, as a report shows it. */
export type ReportEvent = {
  readonly number: number;
  readonly time: string;
  readonly actor: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
};

/** How many events of a type somebody has caused. */
export type ActorCount = { readonly actor: string; readonly type: string; readonly count: number };

/** The events of a whole export: the first ones, and the counts of all. */
export type Report = { readonly events: readonly ReportEvent[]; readonly counts: readonly ActorCount[] };

/** The first faults, and the number of all. */
export type Faults = {
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  /** The ids of the keys that the copied keys lack. */
  readonly missingKeys: readonly string[];
  /** Whether each fault is a missing key. */
  readonly isOnlyMissingKeys: boolean;
};

/** The result of the verification of an export. `statement` is null if the manifest is forged: then nothing else was verified. */
export type ExportResult = Faults & {
  readonly kind: 'export';
  readonly statement: Statement | null;
  /** Null if no copies were chosen. */
  readonly copies: Copies | null;
  /** The number of checkpoints of the export that are among the copies. */
  readonly compared: number;
  /** Null if the export is not whole. */
  readonly report: Report | null;
};

/** The result of the verification of the checkpoints that the service shows. */
export type CheckpointsResult = Faults & {
  readonly kind: 'checkpoints';
  readonly count: number;
  readonly last: Checkpoint | null;
  readonly copies: Copies | null;
  readonly compared: number;
};

export type Result = ExportResult | CheckpointsResult;

/** The files of an export: one export file, or the two files of a folder. */
export type Request = { readonly keys: Blob; readonly copies: Blob | null } & (
  { readonly kind: 'export'; readonly files: readonly Blob[] } | { readonly kind: 'checkpoints'; readonly shown: readonly unknown[] }
);

/** A file that cannot be used, and why. */
export type Unusable = { readonly file: 'keys' | 'copies' | 'export'; readonly reason: string };

export type Answer =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'unusable'; readonly unusable: Unusable }
  | { readonly kind: 'result'; readonly result: Result };

type Verification = {
  readonly answer: Promise<Result | Unusable>;
  /** Ends the verification. Its answer then never comes. */
  readonly stop: () => void;
};

/** Begins a verification in a worker, whose file is loaded only now. Its answer rejects if the worker fails. */
export const startVerification = (request: Request, onProgress: (done: number, total: number) => void): Verification => {
  const worker = new Worker(new URL('./verify/verify.worker.ts', import.meta.url), { type: 'module' });
  const answer = new Promise<Result | Unusable>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      if (data.kind === 'progress') return onProgress(data.done, data.total);
      worker.terminate();
      resolve(data.kind === 'result' ? data.result : data.unusable);
    });
    worker.addEventListener('error', ({ message }) => {
      worker.terminate();
      reject(new Error(message || 'its program could not be loaded'));
    });
  });
  worker.postMessage(request);
  return { answer, stop: () => worker.terminate() };
};
