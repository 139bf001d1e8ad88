import { IncomingMessage } from 'node:http';

/** Pieces below this size are put together while nobody reads. */
const SMALL = 1_024;
const TOGETHER = 8_192;

/**
 * A request whose body costs what it holds while it waits to be read. Node keeps each piece as a buffer of its own, up to 64 KiB
 * in all: in chunks of one byte that is 17 MB for every request that waits its turn.
 */
export class RequestInPieces extends IncomingMessage {
  private together: Buffer | null = null;
  private length = 0;

  override push(piece: Uint8Array | null, encoding?: BufferEncoding): boolean {
    // Most bodies are one piece, which may stay as it is.
    const keeps = piece !== null && piece.length < SMALL && this.readableFlowing !== true && this.readableLength > 0;
    if (!keeps) {
      this.passOn();
      return super.push(piece, encoding);
    }
    if (this.together && this.length + piece.length > this.together.length) this.passOn();
    this.together ??= Buffer.allocUnsafeSlow(TOGETHER);
    this.together.set(piece, this.length);
    this.length += piece.length;
    return this.readableLength + this.length < this.readableHighWaterMark;
  }

  override _read(size: number): void {
    this.passOn();
    super._read(size);
  }

  private passOn(): void {
    const { together, length } = this;
    if (!together) return;
    this.together = null;
    this.length = 0;
    super.push(together.subarray(0, length));
  }
}
