/**
 * The program of the child process that decodes and encodes images, one at a time. Files may be hostile. So the process has
 * no settings and no secrets, and the service can kill it.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import type { ImageMediaType } from '../../ports/image-processor.port.js';
import type { ImageAnswer, ImageCall } from './image-call.js';

/**
 * The maximum number of pixels (contract 37.2). An image with so many pixels takes 240 to 750 MB while it is processed. Its
 * file can have as few as 38 bytes.
 */
const MAX_PIXELS = 40_000_000;
/** The `nice` value of the process (0 to 19). A larger value means a lower priority; the service has 0 by default. */
const NICE = 10;
/** The largest value of `oom_score_adj`. When memory runs out, Linux first ends the process with the largest value. */
const OOM_SCORE = '1000';

// One thread, and no cache of decoded images. So the process uses only the memory that the current call needs.
sharp.concurrency(1);
sharp.cache(false);
// Disables all decoders of the library, then enables three of them. The others, such as those for SVG and PDF, are not needed.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });

try {
  if (process.platform !== 'linux') setPriority(NICE);
  else {
    writeFileSync('/proc/self/oom_score_adj', OOM_SCORE);
    // On Linux, `setPriority` changes one thread only. A thread that starts later inherits the priority of its parent thread.
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), NICE);
  }
} catch {
  // Some sandboxes forbid a change of the priority. Images then have the same priority as requests.
}

/** Encodes an image. The library leaves out metadata, and converts colours to sRGB. */
const encode = (image: Sharp, mediaType: ImageMediaType): Sharp => {
  if (mediaType === 'image/jpeg') return image.jpeg({ quality: 88 });
  return mediaType === 'image/png' ? image.png({ compressionLevel: 7 }) : image.webp({ quality: 85, effort: 3 });
};

type Answer = { readonly answer: ImageAnswer; readonly bytes?: Uint8Array };

const encodeAs = async (mediaType: ImageMediaType, image: Sharp): Promise<Answer> => {
  const { data, info } = await encode(image, mediaType).toBuffer({ resolveWithObject: true });
  return { answer: { kind: 'encoded', bytes: data.length, width: info.width, height: info.height }, bytes: data };
};

/**
 * Decodes an image into memory, and encodes it with a second call, so that only one processor is busy. In one call, the
 * library would decode and encode in parallel threads, and requests would wait for a processor.
 */
const decodeAndEncodeAs = async (mediaType: ImageMediaType, image: Sharp): Promise<Answer> => {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  try {
    return await encodeAs(mediaType, sharp(data, { raw: info }));
  } finally {
    // Frees the pixels now. Otherwise, they would still use memory while the next image is decoded. `releaseMemory` cannot
    // be imported here: tests run this program as a source file, which can import no other source file.
    if (data.buffer instanceof ArrayBuffer && data.length === data.buffer.byteLength) data.buffer.transfer(0);
  }
};

/** Decodes and encodes a file. `failOn` is the least defect for which the file counts as broken. */
const encodeFile = async (file: Uint8Array, { mediaType, fit }: ImageCall, failOn: 'error' | 'warning'): Promise<Answer> => {
  try {
    // Reads the size without a limit of pixels. With a limit, an image with too many pixels would look like a broken image.
    const { width, height } = await sharp(file, { failOn: 'error', limitInputPixels: false, pages: 1 }).metadata();
    if (width * height > MAX_PIXELS) return { answer: { kind: 'fault', fault: 'too_many_pixels', reason: `${width} by ${height} pixels` } };
    const opened = sharp(file, { failOn, limitInputPixels: MAX_PIXELS, pages: 1, sequentialRead: true });
    if (fit) return await encodeAs(mediaType, opened.resize({ ...fit, fit: 'inside', withoutEnlargement: true }));
    return await decodeAndEncodeAs(mediaType, opened.autoOrient());
  } catch (error) {
    return { answer: { kind: 'fault', fault: 'broken_image', reason: String(error) } };
  }
};

const END_OF_JPEG = Buffer.from([0xff, 0xd9]);

/**
 * Answers a call. The library rejects a JPEG without its end marker, which every viewer shows. Such a file is decoded again with the
 * marker. This time the least defect counts, because the library does not reject missing data before an end marker (contract 37.2).
 */
const answerCall = async (file: Buffer, call: ImageCall): Promise<Answer> => {
  const result = await encodeFile(file, call, 'error');
  const isBrokenJpeg = result.answer.kind === 'fault' && result.answer.fault === 'broken_image' && call.mediaType === 'image/jpeg';
  if (!isBrokenJpeg || call.fit || !hasAllScans(file)) return result;
  return encodeFile(Buffer.concat([file, END_OF_JPEG]), call, 'warning');
};

/**
 * Returns whether the scans of a JPEG contain every bit of every coefficient. A progressive file that was cut between two scans
 * has no other defect: it decodes to a blurred image.
 */
const hasAllScans = (file: Buffer): boolean => {
  /** For each component, the number of low bits that each of its 64 coefficients still lacks. */
  const lacking = new Map<number, Uint8Array>();
  for (let at = file.indexOf(0xff); at !== -1 && at + 4 <= file.length; at = file.indexOf(0xff, at)) {
    const marker = file[at + 1] ?? 0;
    // A fill byte, a byte of a scan, or a marker without a segment.
    if (marker === 0xff || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = file.readUInt16BE(at + 2);
    const segment = file.subarray(at + 4, at + 2 + length);
    if (isFrame(marker)) for (const id of componentsIn(segment, 5, 3)) lacking.set(id, new Uint8Array(64).fill(16));
    if (marker === SCAN) readScan(segment, lacking);
    at += 2 + length;
  }
  return lacking.size > 0 && [...lacking.values()].every((bits) => bits.every((count) => count === 0));
};

const SCAN = 0xda;
/** The markers from 0xc0 to 0xcf begin a frame, except those of tables (0xc4, 0xcc) and a reserved one (0xc8). */
const isFrame = (marker: number): boolean => marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Returns the ids of the components in a segment. Their number is at `at`, and each entry has `size` bytes. */
const componentsIn = (segment: Buffer, at: number, size: number): readonly number[] =>
  Array.from({ length: segment[at] ?? 0 }, (_, index) => segment[at + 1 + index * size] ?? -1);

/** Notes which bits a scan brings: for the coefficients from `first` to `last`, all but the lowest `low` bits. */
const readScan = (segment: Buffer, lacking: ReadonlyMap<number, Uint8Array>): void => {
  const ids = componentsIn(segment, 0, 2);
  const [first = 64, last = 0, approximation = 0] = segment.subarray(1 + 2 * ids.length);
  for (const id of ids) lacking.get(id)?.fill(approximation & 0x0f, first, last + 1);
};

/** The call whose file is being received. `length` is the number of received bytes. */
let current: { readonly call: ImageCall; readonly file: Buffer; length: number } | null = null;

/** Runs the current call and answers it, if its file is complete. */
const answerWhenComplete = async (): Promise<void> => {
  if (!current || current.length < current.call.bytes) return;
  const { call, file } = current;
  current = null;
  // The bytes of the next file may arrive before its call. A paused stream keeps them until the call arrives.
  process.stdin.pause();
  const { answer, bytes } = await answerCall(file, call);
  process.send?.(answer);
  if (bytes) process.stdout.write(bytes);
};

process.on('message', (call: ImageCall) => {
  current = { call, file: Buffer.allocUnsafeSlow(call.bytes), length: 0 };
  process.stdin.resume();
  void answerWhenComplete();
});
process.stdin.on('data', (piece: Buffer) => {
  if (current) current.length += piece.copy(current.file, current.length);
  void answerWhenComplete();
});
// Reading starts with the first call, because bytes that are read before a call are lost.
process.stdin.pause();
// The channel to the service closes when the service ends in any way. The process then kills itself. An orderly exit would
// wait for a call that runs in a thread.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
