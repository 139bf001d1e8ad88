/** Writes the golden files that are missing or have new members. */
import './typescript-hooks.mjs';

await import('../test/golden/accept.ts');
