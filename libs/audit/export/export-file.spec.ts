import { describe, expect, it } from '@jest/globals';
import { manifestStart } from './export-file.js';
import { exportLog, signedLog } from './export.fixtures.js';

const startIn = (text: string): number | null => {
  const bytes = Buffer.from(text);
  return manifestStart(bytes.length, (from, to) => bytes.subarray(from, to));
};

describe('the manifest in an export file (contract 35.6)', () => {
  it('is its last line, however long it is, and may be its only one', async () => {
    const { events, manifest } = await exportLog(await signedLog(), {});
    expect(startIn(events + manifest)).toBe(Buffer.byteLength(events));
    expect(startIn(manifest)).toBe(0);
    expect(startIn(`{"data":"${'ä'.repeat(70_000)}"}\n{"manifest":${'1'.repeat(200_000)}}\n`)).toBe(140_012);
  });

  it('is missing in a file that was cut, and in one that has something after it', async () => {
    const { events, manifest } = await exportLog(await signedLog(), {});
    for (const text of ['', '\n', events, events + manifest.slice(0, 5), `${events}${manifest}\n`, `${events}${manifest}{}\n`])
      expect([text.length, startIn(text)]).toEqual([text.length, null]);
    // The signature finds that the line was cut.
    expect(startIn(events + manifest.slice(0, -1))).toBe(Buffer.byteLength(events));
  });
});
