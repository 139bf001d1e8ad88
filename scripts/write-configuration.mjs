/** Writes docs/configuration.md. Runs on the pinned Node, which reads the table of settings as it is: nothing need be built. */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { CONFIGURATION, configurationDocument } from './configuration.mjs';
import { inRoot } from './workspace.mjs';

// Sources import each other by the name that the compiler gives them.
registerHooks({
  resolve: (specifier, context, next) => next(context.parentURL?.endsWith('.ts') ? specifier.replace(/\.js$/, '.ts') : specifier, context),
});

const { SECTIONS } = await import('../libs/settings/setting-table.ts');
writeFileSync(inRoot(CONFIGURATION), configurationDocument(SECTIONS));
