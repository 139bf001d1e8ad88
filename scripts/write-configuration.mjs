/** Writes docs/configuration.md. Needs the pinned Node, which can import TypeScript. */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { CONFIGURATION, configurationDocument } from './configuration.mjs';
import { inRoot } from './workspace.mjs';

// TypeScript sources import each other with the ending .js. The hook replaces it with .ts.
registerHooks({
  resolve: (specifier, context, next) => next(context.parentURL?.endsWith('.ts') ? specifier.replace(/\.js$/, '.ts') : specifier, context),
});

const { SECTIONS } = await import('../libs/settings/setting-table.ts');
writeFileSync(inRoot(CONFIGURATION), configurationDocument(SECTIONS));
