import { useEffect, useState } from 'preact/hooks';
import { readJson, withQuery } from './api.js';
import { appended, KEPT_EVENTS } from './live.js';
import { session } from './session.js';
import type { AppendedEvent, LogPage } from './shapes.js';
import { useStore } from './store.js';
import { ALL, tenant } from './tenant.js';

/** The events that were there before, with their tenant. */
type Before = { readonly of: string; readonly events: readonly AppendedEvent[] };

/** How far back the list begins, in milliseconds. */
const SPAN = 10 * 60_000;
/** The log can be read only forwards, so the newest events of a busy service are behind several pages. */
const MAX_PAGES = 5;

const readRecent = async (signal: AbortSignal): Promise<readonly AppendedEvent[]> => {
  const from = new Date(Date.now() - SPAN).toISOString();
  const all: AppendedEvent[] = [];
  let after: string | null | undefined;
  for (let page = 0; page < MAX_PAGES && after !== null; page++) {
    const path = withQuery('v1/audit/events', { from, limit: 100, after, tenant: tenant.get() === ALL ? ALL : undefined });
    const { data, next } = await readJson<LogPage<AppendedEvent>>(path, { signal });
    all.push(...data);
    after = next;
  }
  return all.toReversed();
};

/**
 * Returns the newest events: those of the minutes before, and those that have come since. What was missed between two
 * connections is read again.
 */
export const useRecentEvents = (): readonly AppendedEvent[] => {
  const { events, connection } = useStore(appended);
  const { isActive, version } = useStore(session);
  const chosen = useStore(tenant);
  const [before, setBefore] = useState<Before>({ of: '', events: [] });
  useEffect(() => {
    if (!isActive) return undefined;
    const abort = new AbortController();
    // A fault here is shown by the state of the connection: without a service nothing arrives either.
    readRecent(abort.signal).then(
      (read) => setBefore({ of: chosen, events: read }),
      () => undefined,
    );
    return () => abort.abort();
  }, [connection, version, isActive, chosen]);
  const earlier = before.of === chosen ? before.events : [];
  const known = new Set(events.map(({ id }) => id));
  // Ids of events contain their time, so they tell what is newer, also where two lists meet.
  const all = [...events, ...earlier.filter(({ id }) => !known.has(id))];
  return all.toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, KEPT_EVENTS);
};
