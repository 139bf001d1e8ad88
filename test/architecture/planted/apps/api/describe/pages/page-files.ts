import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
export const read = [readFileSync, createRequire];
