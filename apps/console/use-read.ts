import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { answeredActions, outdatedReads } from './acting.js';
import { problemOf, readJson } from './api.js';
import { session } from './session.js';
import type { Problem } from './shapes.js';
import { useStore } from './store.js';
import { tenant as chosenTenant } from './tenant.js';

/** What is known of something that is read. After a problem the data of before remains. */
export type Reading<T> = {
  readonly data?: T;
  readonly problem?: Problem;
  readonly isReading: boolean;
  readonly readAgain: () => void;
};

type Options = {
  /** Milliseconds until it is read again. Without it, it is read once: each read of an auditor is an event of its own. */
  readonly every?: number;
  readonly tenant?: string;
  /** Milliseconds to wait before the first read, while somebody still chooses. */
  readonly after?: number;
};

/** What was read, with what it was read of: the same path of another tenant is something else. */
type Result<T> = { readonly of: string | null; readonly data?: T; readonly problem?: Problem; readonly isReading: boolean };

/** Reads a path while the part of the page is shown and the tab is visible. Null reads nothing. */
export const useRead = <T>(path: string | null, { every, tenant, after = 0 }: Options = {}): Reading<T> => {
  const { isActive, version } = useStore(session);
  const chosen = useStore(chosenTenant);
  const answered = useStore(answeredActions);
  const [attempt, setAttempt] = useState(0);
  // What an action has changed is shown at once, but nothing is read again of which each read is an event.
  const changes = every === undefined ? 0 : answered;
  const [result, setResult] = useState<Result<T>>({ of: null, isReading: false });
  const shownChanges = useRef(changes);
  const of = path === null ? null : `${path} ${tenant ?? chosen}`;

  // Before the next frame: with the answer of an action, the state of before must not be acted on any more.
  useLayoutEffect(() => {
    if (path === null || !isActive) return undefined;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOutdated = changes !== shownChanges.current;
    shownChanges.current = changes;
    if (isOutdated) outdatedReads.set(outdatedReads.get() + 1);
    const endOutdated = (): void => {
      if (isOutdated) outdatedReads.set(outdatedReads.get() - 1);
      isOutdated = false;
    };
    const read = async (): Promise<void> => {
      clearTimeout(timer);
      setResult((before) => ({ ...before, isReading: true }));
      try {
        const data = await readJson<T>(path, { signal: abort.signal, ...(tenant !== undefined && { tenant }) });
        setResult({ of, data, isReading: false });
      } catch (error) {
        if (abort.signal.aborted) return;
        setResult((before) => ({
          of,
          problem: problemOf(error),
          isReading: false,
          ...(before.of === of && before.data !== undefined && { data: before.data }),
        }));
      }
      endOutdated();
      if (every !== undefined && !document.hidden && !abort.signal.aborted) timer = setTimeout(() => void read(), every);
    };
    const onVisible = (): void => {
      if (!document.hidden && every !== undefined) void read();
    };
    timer = setTimeout(() => void read(), after);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      abort.abort();
      endOutdated();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [path, every, tenant, chosen, isActive, version, attempt, after, changes]);

  const readAgain = useCallback(() => setAttempt((count) => count + 1), []);
  const { data, problem, isReading } = result.of === of ? result : { ...result, data: undefined, problem: undefined };
  return { isReading, readAgain, ...(data !== undefined && { data }), ...(problem !== undefined && { problem }) };
};
