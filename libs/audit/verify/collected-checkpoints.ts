import type { SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { isCheckpoint } from './genuine-checkpoints.js';

/** The checkpoints in a text that somebody has kept outside of the service. Their signatures are not verified. */
export type CollectedCheckpoints = {
  readonly checkpoints: readonly SignedCheckpoint[];
  /** The number of lines that are not empty. Each entry of a JSON list counts as a line. */
  readonly lines: number;
  /** The numbers of the lines that name a checkpoint and cannot be read as one. The first line has the number 1. */
  readonly unreadable: readonly number[];
};

/** Matches what names a checkpoint, even in a line that was cut or whose members were renamed. */
const NAMES_CHECKPOINT = /petstore-checkpoint\/|"checkpoint"\s*:/;
/** Matches what Compose or Kubernetes writes before a log line in JSON. */
const PREFIX = /^[^{]*/;
/** Matches the end of a signed checkpoint, whose beginning may have been cut. */
const CUT = /"signature"\s*:/;

/**
 * Reads checkpoints from the output of `audit checkpoints`, from the list of the API, from messages of the topic
 * petstore.checkpoints.v1, or from log lines. Text before the first brace of a line is ignored, because Compose and Kubernetes
 * prefix log lines. Lines that do not name a checkpoint are only counted (contract 35.4).
 */
export const collectedIn = (text: string): CollectedCheckpoints => {
  const checkpoints: SignedCheckpoint[] = [];
  const unreadable: number[] = [];
  let lines = 0;
  for (const entry of entriesOf(text)) {
    lines++;
    const signed = typeof entry === 'string' ? null : signedIn(entry);
    if (signed) checkpoints.push(signed);
    else if (namesCheckpoint(entry)) unreadable.push(lines);
  }
  return { checkpoints, lines, unreadable };
};

/** Yields the parsed JSON of each line or entry, or the line itself if it has no valid JSON. */
function* entriesOf(text: string): Generator<unknown, void> {
  // A list that was formatted for people has line breaks inside of its entries.
  const whole = parse(text);
  if (whole !== undefined) return yield* entriesIn(whole);
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    yield* entriesIn(parse(line) ?? parse(line.replace(PREFIX, '')) ?? line);
  }
}

/** Yields the entries of a list, and the data of a message or of a page of the API. */
function* entriesIn(value: unknown): Generator<unknown, void> {
  const data = isObject(value) && 'data' in value ? value.data : null;
  if (Array.isArray(value)) yield* value as readonly unknown[];
  else if (isObject(data)) yield* entriesIn(data);
  else yield value;
}

const signedIn = (entry: unknown): SignedCheckpoint | null => {
  if (!isCheckpoint(entry)) return null;
  const { checkpoint, signature } = entry;
  return { checkpoint, signature };
};

const namesCheckpoint = (entry: unknown): boolean => {
  if (typeof entry === 'string') return NAMES_CHECKPOINT.test(entry) || CUT.test(entry);
  return NAMES_CHECKPOINT.test(JSON.stringify(entry));
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
