import { isUtf8 } from 'node:buffer';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { FastifyInstance } from 'fastify';
import { yieldToEventLoop } from '../../../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import type { FieldError } from '../problems/error-codes.js';
import { fieldProblem, Problem } from '../problems/problem.js';
import { isEncoded, unsupportedBody, type ReadBody } from './bodies.js';

/** The parts of an upload (contract 37.1). */
export type UploadBody = { readonly file: Buffer; readonly additionalMetadata?: string };

/** The maximum size of the part `file` in bytes. */
export const MAX_FILE_BYTES = 5 * 1_048_576;
/** The maximum number of characters of `additionalMetadata`. */
export const MAX_METADATA = 2_000;
/** The maximum size of the part `additionalMetadata` in bytes. A character has up to four bytes. */
const MAX_TEXT_BYTES = 4 * MAX_METADATA;
/** The maximum size of an upload in bytes: the file, and 64 KiB for the text, the headers and the delimiters of the parts. */
export const MAX_UPLOAD_BYTES = MAX_FILE_BYTES + 65_536;

/**
 * The limits of the parser. A valid upload has at most two parts. The parser reads up to ten parts, so that the problem can
 * name the invalid parts.
 */
const LIMITS = { parts: 10, files: 10, fileSize: MAX_FILE_BYTES, headerPairs: 20, headerSize: 8_192 };
/**
 * The size in bytes of the pieces in which the parser gets the body. The parser queues everything that it finds in a piece,
 * so larger pieces would need a longer queue.
 */
const PIECE_BYTES = 65_536;

/**
 * The maximum number of bytes that `Parts` copies from the start of each part. The parser passes on a part in pieces. Most
 * pieces are views of the memory of the body, and some are copies. The parser never copies this many consecutive bytes. So a
 * longer part has at least one piece that is a view.
 */
const MAX_COPIED_BYTES = 4_096;

const TOO_LARGE = 'The file is larger than 5 MiB.';
const NOT_READABLE = 'The body is not multipart/form-data: its boundary is missing, or its last part is incomplete.';

/**
 * Makes Fastify read multipart bodies for operations with an upload, and files alone for those with `uploadAlone`. Other operations
 * reject such a body with 415.
 */
export const readImageUploads = (fastify: FastifyInstance, readBody: ReadBody): void => {
  readMultipart(fastify, readBody);
  readFilesAlone(fastify, readBody);
};

const readFilesAlone = (fastify: FastifyInstance, readBody: ReadBody): void => {
  fastify.addContentTypeParser('application/octet-stream', (request, stream, done) => {
    const { operation } = request.routeOptions.config;
    if (!operation?.uploadAlone || isEncoded(request)) return done(unsupportedBody(operation));
    readBody(request, stream, (failure, file) => {
      // An empty body counts as missing.
      if (failure || !file || file.length === 0) return done(failure, undefined);
      if (file.length > MAX_FILE_BYTES) return done(new Problem('content-too-large', TOO_LARGE));
      done(null, { file } satisfies UploadBody);
    });
  });
};

const readMultipart = (fastify: FastifyInstance, readBody: ReadBody): void => {
  fastify.addContentTypeParser('multipart/form-data', (request, stream, done) => {
    const { operation } = request.routeOptions.config;
    if (!operation?.upload || isEncoded(request)) return done(unsupportedBody(operation));
    // Parsing begins only after the whole body has arrived, so that `readBody` also limits slow uploads and many uploads.
    readBody(request, stream, (failure, body) => {
      if (failure || !body) return done(failure);
      parseUpload(request.headers['content-type'] ?? '', body).then((upload) => done(null, upload), done);
    });
  });
};

/** Parses an upload. Throws a problem if a part is missing, repeated, unknown or too large. */
const parseUpload = async (contentType: string, body: Buffer): Promise<UploadBody> => {
  const parts = new Parts(body);
  try {
    // The check for UTF-8 needs the bytes of the text. The parser gives the bytes of files only, so each part counts as a file.
    const parser = new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS, isPartAFile: () => true });
    parser.on('file', (name: string | undefined, part) => parts.add(name ?? '', part));
    parser.on('partsLimit', () => parts.reject({ field: 'body', message: `must have at most ${LIMITS.parts} parts`, code: 'too_long' }));
    await parseInPieces(parser, body);
  } catch {
    throw new Problem('malformed-request', NOT_READABLE);
  }
  return parts.result();
};

/** Passes a body to the parser in pieces. Between two pieces, other requests proceed. Rejects if the body is malformed. */
const parseInPieces = async (parser: InstanceType<typeof Busboy>, body: Buffer): Promise<void> => {
  const finished = new Promise<void>((resolve, reject) => void parser.once('finish', resolve).on('error', reject));
  // The parser may fail before `finished` is awaited. Without a handler, Node would report an unhandled rejection.
  finished.catch(() => undefined);
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    parser.write(body.subarray(at, at + PIECE_BYTES));
    await yieldToEventLoop();
  }
  parser.end();
  await finished;
};

/**
 * A parsed part with `length` bytes. A part of up to `MAX_COPIED_BYTES` is in `copied`, because the parser may have copied
 * all its pieces. A longer part is the range of the body that begins at `start`. `extend` computes `start` from a piece that
 * is a view of the body.
 */
type ParsedPart = { readonly limit: number; readonly copied: Buffer; start: number; length: number };

/**
 * The parts of one upload. A file is not copied out of the body, because buffers of several MiB for each upload would
 * keep the garbage collector busy.
 */
class Parts {
  private readonly errors: FieldError[] = [];
  private readonly found = new Map<string, ParsedPart>();
  private isTooLarge = false;

  constructor(private readonly body: Buffer) {}

  reject(error: FieldError): void {
    this.errors.push(error);
  }

  add(name: string, part: BusboyFileStream): void {
    // A part emits an error if it is incomplete. In that case the parser emits an error, too, so this handler does nothing.
    part.on('error', () => undefined);
    // A text that is too long is cut one byte beyond the maximum. It still has more than 2,000 characters, so the request
    // reader rejects it.
    const limit = name === 'file' ? MAX_FILE_BYTES : name === 'additionalMetadata' ? MAX_TEXT_BYTES + 1 : null;
    const isNew = !this.found.has(name);
    if (limit === null) this.reject({ field: name, message: 'is not a known part', code: 'unknown_property' });
    else if (!isNew) this.reject({ field: name, message: 'must be sent once', code: 'repeated' });
    if (limit === null || !isNew) return void part.resume();
    const parsed = { limit, copied: Buffer.alloc(MAX_COPIED_BYTES), start: 0, length: 0 };
    this.found.set(name, parsed);
    part.on('limit', () => (this.isTooLarge = true));
    part.on('data', (piece: Buffer) => this.extend(parsed, piece));
  }

  private extend(part: ParsedPart, piece: Buffer): void {
    if (part.length < part.copied.length) piece.copy(part.copied, part.length);
    // A piece in the memory of the body is a view. Its offset shows where the part begins in the body.
    if (piece.buffer === this.body.buffer) part.start = piece.byteOffset - this.body.byteOffset - part.length;
    part.length += piece.length;
  }

  result(): UploadBody {
    if (this.isTooLarge) throw new Problem('content-too-large', TOO_LARGE);
    const file = this.bytesOf('file');
    // A browser sends an empty part if nobody has chosen a file.
    if (!file || file.length === 0) this.reject({ field: 'file', message: 'is required', code: 'required' });
    const text = this.bytesOf('additionalMetadata');
    // A text that is too long may be cut within a character, so it is not checked for UTF-8.
    if (text && text.length <= MAX_TEXT_BYTES && !isUtf8(text))
      this.reject({ field: 'additionalMetadata', message: 'must be UTF-8', code: 'INVALID_FORMAT' });
    if (this.errors.length > 0 || !file) throw fieldProblem('invalid-request', this.errors);
    return { file, ...(text && { additionalMetadata: text.toString('utf8') }) };
  }

  private bytesOf(name: string): Buffer | null {
    const part = this.found.get(name);
    if (!part) return null;
    const { limit, copied, start, length } = part;
    return length <= copied.length ? copied.subarray(0, length) : this.body.subarray(start, start + Math.min(length, limit));
  }
}
