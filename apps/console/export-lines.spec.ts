import { describe, expect, it } from '@jest/globals';
import { ExportLines } from './export-lines.js';

const FILE = Buffer.from('{"data":{"number":9},"number":3}\n{"data":"ä","number":5}\n{"manifest":{"number":7},"signature":""}\n');

describe('the lines of an export that arrives', () => {
  it.each([1, 2, 7, 40, 1_000])('are counted in parts of %d bytes, with the number of the last event', (size) => {
    const lines = new ExportLines();
    const seen = Array.from({ length: Math.ceil(FILE.length / size) }, (_, part) =>
      lines.add(FILE.subarray(part * size, (part + 1) * size)),
    );
    expect(seen.at(-1)).toEqual({ bytes: FILE.length, lines: 2, number: size === 1_000 ? null : 5, isComplete: true });
    expect(seen.slice(0, -1).every(({ isComplete }) => !isComplete)).toBe(true);
  });

  it('are incomplete without the line feed of the manifest', () => {
    const lines = new ExportLines();
    expect(lines.add(FILE.subarray(0, -1))).toMatchObject({ lines: 2, number: 5, isComplete: false });
    expect(lines.add(FILE.subarray(-1))).toMatchObject({ lines: 2, isComplete: true });
  });

  it('may be none, or no JSON', () => {
    expect(new ExportLines().arrived()).toEqual({ bytes: 0, lines: 0, number: null, isComplete: false });
    expect(new ExportLines().add(Buffer.from('<html>\n'))).toMatchObject({ lines: 1, number: null, isComplete: false });
  });
});
