import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { ROOT } from '../servers/program.js';
import { tutorialFiles } from './tutorial.js';

afterAll(removeFolders);

// tutorial.more.spec.ts runs the resulting code.
describe('docs/tutorial.md', () => {
  it('shows lines of the files that it names', () => expect(tutorialFiles(ROOT).size).toBe(18));

  it('shows them also after its steps are applied', () => {
    const folder = newFolder();
    for (const name of ['apps', 'libs', 'test', 'docs']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    const files = tutorialFiles(folder);
    for (const [file, text] of files) writeFileSync(join(folder, file), text);
    const isRaised = ([file]: readonly [string, string]) => file === 'libs/projections/pets.projection.ts';
    expect([...tutorialFiles(folder)].filter((one) => !isRaised(one))).toEqual([...files].filter((one) => !isRaised(one)));
  });
});
