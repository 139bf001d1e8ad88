/** Writes docs/configuration.md. It needs the pinned Node, which imports TypeScript without a build. */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { CONFIGURATION, configurationDocument } from './configuration.mjs';
import { inRoot } from './workspace.mjs';

// Sources import each other by the names of their output.
registerHooks({
  resolve: (specifier, context, next) => next(context.parentURL?.endsWith('.ts') ? specifier.replace(/\.js$/, '.ts') : specifier, context),
});

const { SECTIONS } = await import('../libs/settings/setting-table.ts');
writeFileSync(inRoot(CONFIGURATION), configurationDocument(SECTIONS));
