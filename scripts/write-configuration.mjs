/** Writes docs/configuration.md. Needs the pinned Node, which can import TypeScript. */
import { registerHooks } from 'node:module';
import { CONFIGURATION, configurationDocument } from './configuration.mjs';
import { writeDocument } from './workspace.mjs';

// TypeScript sources import each other with the ending .js. The hook replaces it with .ts.
registerHooks({
  resolve: (specifier, context, next) => next(context.parentURL?.endsWith('.ts') ? specifier.replace(/\.js$/, '.ts') : specifier, context),
});

const { SECTIONS } = await import('../libs/settings/setting-table.ts');
writeDocument(CONFIGURATION, configurationDocument(SECTIONS));
