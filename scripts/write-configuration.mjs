/** Writes docs/configuration.md. Needs the pinned Node, which can import TypeScript. */
import './typescript-hooks.mjs';
import { CONFIGURATION, configurationDocument } from './configuration.mjs';
import { writeDocument } from './workspace.mjs';

const { SECTIONS } = await import('../libs/settings/setting-table.ts');
writeDocument(CONFIGURATION, configurationDocument(SECTIONS));
