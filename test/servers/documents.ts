import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './program.js';

/** The address in the commands of README.md and docs: the service on its default port. Tests replace it. */
export const PRINTED_ADDRESS = 'http://127.0.0.1:3000';

/** A block of shell commands. `section` is the second-level heading above it, or '' if there is none. */
type ShellBlock = { readonly section: string; readonly commands: string };

/** Returns every block of shell commands of a document, in order. */
export const shellBlocks = (document: string): readonly ShellBlock[] =>
  readFileSync(join(ROOT, document), 'utf8')
    .split(/^## /m)
    .flatMap((part, nth) => {
      const section = nth === 0 ? '' : (part.split('\n')[0] ?? '');
      return [...part.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block]) => ({ section, commands: (block ?? '').trim() }));
    });

/** Returns the blocks of shell commands of one section, in order. */
export const commandsOf = (document: string, section: string): readonly string[] =>
  shellBlocks(document)
    .filter((block) => block.section === section)
    .map(({ commands }) => commands);
