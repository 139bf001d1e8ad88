import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { readJson, RequestProblem, withQuery } from './api.js';
import { session } from './session.js';
import type { LogPage, Problem } from './shapes.js';
import { useStore } from './store.js';
import { tenant as chosenTenant } from './tenant.js';

/** What a search of the log has found so far. */
export type LogSearch<Event> = {
  readonly events: readonly Event[];
  readonly isSearching: boolean;
  /** Whether the end of the log was reached. */
  readonly isComplete: boolean;
  readonly problem?: Problem;
  readonly searchFurther: () => void;
  readonly readAgain: () => void;
};

/** A request searches a part of the log only, so a page may be short or empty although later events match. */
const MAX_PAGES = 10;
const PAGE = 100;

type Found<Event> = { readonly of: string; readonly events: readonly Event[]; readonly next: string | null };

/**
 * Searches the log page by page, until there is enough for a page of the console, the log ends, or ten requests were sent. A
 * search continues where it was with `searchFurther`.
 */
export const useLogPages = <Event>(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  { tenant, enough = PAGE }: { readonly tenant?: string; readonly enough?: number } = {},
): LogSearch<Event> => {
  const { isActive, version } = useStore(session);
  const chosen = useStore(chosenTenant);
  const of = `${withQuery(path, query)} ${tenant ?? chosen}`;
  const [found, setFound] = useState<Found<Event> | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSearching, setSearching] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const abort = useRef<AbortController | undefined>(undefined);

  const search = useCallback(
    async (begin: readonly Event[], from: string | null): Promise<void> => {
      abort.current?.abort();
      const current = new AbortController();
      abort.current = current;
      setSearching(true);
      setProblem(null);
      let [events, next] = [begin, from];
      try {
        for (let pages = 0; pages < MAX_PAGES && events.length < begin.length + enough; pages++) {
          const url = withQuery(path, { ...query, limit: PAGE, ...(next !== null && { after: next }) });
          const page = await readJson<LogPage<Event>>(url, { signal: current.signal, ...(tenant !== undefined && { tenant }) });
          events = [...events, ...page.data];
          next = page.next;
          setFound({ of, events, next });
          if (next === null) break;
        }
      } catch (error) {
        if (current.signal.aborted) return;
        if (error instanceof RequestProblem) setProblem(error.problem);
      }
      if (!current.signal.aborted) setSearching(false);
    },
    [of, enough],
  );

  useEffect(() => {
    if (!isActive) return undefined;
    void search([], null);
    return () => abort.current?.abort();
  }, [search, isActive, version, attempt]);

  const here = found?.of === of ? found : null;
  return {
    events: here?.events ?? [],
    isSearching,
    isComplete: here !== null && here.next === null,
    ...(problem !== null && { problem }),
    searchFurther: () => void search(here?.events ?? [], here?.next ?? null),
    readAgain: () => setAttempt((count) => count + 1),
  };
};
