import { readJson, withQuery } from './api.js';
import type { CheckpointPage, SignedCheckpoint } from './shapes.js';

const PAGE = 100;

type Options = { readonly signal?: AbortSignal; readonly onProgress?: (done: number, total: number) => void };

/** Reads all checkpoints that the service shows, oldest first. */
export const readAllCheckpoints = async ({ signal, onProgress }: Options = {}): Promise<readonly SignedCheckpoint[]> => {
  const all: SignedCheckpoint[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const path = withQuery('v1/audit/checkpoints', { page, limit: PAGE });
    const { data, pagination } = await readJson<CheckpointPage>(path, { ...(signal && { signal }) });
    all.push(...data);
    pages = pagination.totalPages;
    onProgress?.(all.length, pagination.totalItems);
  }
  return all;
};
