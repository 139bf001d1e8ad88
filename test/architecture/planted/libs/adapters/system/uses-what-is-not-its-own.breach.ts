import { DatabaseSync } from 'node:sqlite';
export const used = DatabaseSync;
