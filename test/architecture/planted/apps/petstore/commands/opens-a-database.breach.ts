import { DatabaseSync } from 'node:sqlite';
export const opened = DatabaseSync;
