/** The text with which the line of a manifest begins. No event begins with it, because the members of an event are sorted. */
const MANIFEST = '{"manifest":';
const NEWLINE = 0x0a;
/** The number of bytes that are searched at a time. The manifest of a stream or a tenant may be long. */
const BLOCK = 65_536;

/**
 * Returns where the manifest begins in an export file of `size` bytes: the lines of events.ndjson, and as its last line
 * manifest.json (contract 35.17). Returns null if the last line is no manifest, as in an incomplete file. `read` returns the bytes
 * of the file from one place up to another.
 */
export const manifestStart = (size: number, read: (from: number, to: number) => Uint8Array): number | null => {
  const start = lastLineStart(size, read);
  const begin = read(start, Math.min(start + MANIFEST.length, size));
  return String.fromCharCode(...begin) === MANIFEST ? start : null;
};

const lastLineStart = (size: number, read: (from: number, to: number) => Uint8Array): number => {
  // The last byte is the line feed of the last line.
  for (let end = size - 1; end > 0;) {
    const from = Math.max(0, end - BLOCK);
    const found = read(from, end).lastIndexOf(NEWLINE);
    if (found >= 0) return from + found + 1;
    end = from;
  }
  return 0;
};
