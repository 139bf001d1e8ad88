/** The program of the thread that WalCheckpoints starts. Its checkpoints never wait for a writer and never block one. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** What the thread opens: the URL of a file. */
export type CheckpointThreadData = { readonly file: string };

/** What it reports after a checkpoint: the number of pages in the write-ahead log, or why the checkpoint failed. */
export type CheckpointReport = { readonly pages: number } | { readonly failed: string };

const { file } = workerData as CheckpointThreadData;
const database = new DatabaseSync(new URL(file), { timeout: 0 });
const statement = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');

const checkpoint = (): CheckpointReport => {
  try {
    return { pages: Number(statement.get()?.['log']) };
  } catch (error) {
    return { failed: (error as Error).message };
  }
};

parentPort?.on('message', (message: 'checkpoint' | 'stop') => {
  if (message === 'checkpoint') parentPort?.postMessage(checkpoint());
  else {
    database.close();
    parentPort?.close();
  }
});
