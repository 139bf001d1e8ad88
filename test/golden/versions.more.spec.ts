import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { VERSION } from '../../apps/petstore/terminal/installation.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { fillByWalk, writeEmbedded } from './embedded-version.js';
import { goldenFolder, goldenVersions, isAcceptingVersion, sealVersion } from './version-files.js';

afterAll(removeFolders);

(isAcceptingVersion ? describe : describe.skip)('the golden data of this version', () => {
  it('is written once', async () => {
    expect(goldenVersions()).not.toContain(VERSION);
    const [dataDir, golden] = [newFolder(), goldenFolder(VERSION)];
    await fillByWalk(dataDir);
    mkdirSync(golden);
    await writeEmbedded(dataDir, join(golden, 'embedded'));
    sealVersion(golden);
  }, 60_000);
});
