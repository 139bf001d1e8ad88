import { send } from './api.js';
import { ExportLines, type Arrived } from './export-lines.js';
import { session } from './session.js';
import type { BegunExport } from './shapes.js';
import { createStore } from './store.js';

/** A whole export in the memory of this page. */
export type FetchedExport = { readonly name: string; readonly file: Blob };

/** The export that was fetched last. Another page verifies it. It is in no storage, so it ends with the page. */
export const fetchedExport = createStore<FetchedExport | null>(null);

// What one person has fetched must not remain for another.
session.subscribe(() => {
  if (session.get().claims === null) fetchedExport.set(null);
});

/** Bytes that are collected before they become a part of the file. Browsers may keep such parts outside of the memory of the page. */
const PART = 8 * 1_048_576;

/** The connection has ended before the export was complete. */
export class ConnectionLost extends Error {}

/** Reads an export. Throws RequestProblem, ConnectionLost, or the reason of the signal. */
export const fetchExport = async (
  { id }: Pick<BegunExport, 'id'>,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (arrived: Arrived) => void },
): Promise<FetchedExport> => {
  const response = await send(`v1/audit/exports/${encodeURIComponent(id)}`, { signal });
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'petstore-export.ndjson';
  const lines = new ExportLines();
  const parts: Blob[] = [];
  let pending: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for (const reader = response.body?.getReader(); reader;) {
      const { done, value } = await reader.read();
      if (done) break;
      onProgress(lines.add(value));
      pending.push(value);
      size += value.length;
      if (size < PART) continue;
      parts.push(new Blob(pending));
      [pending, size] = [[], 0];
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new ConnectionLost(String(error));
  }
  // A proxy may end a response of which the service has closed the connection as if it were complete.
  if (!lines.arrived().isComplete) throw new ConnectionLost('the last line is no manifest');
  return { name, file: new Blob([...parts, ...pending], { type: 'application/x-ndjson' }) };
};
