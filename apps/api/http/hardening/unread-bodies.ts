import { IncomingMessage } from 'node:http';

/** Pieces with fewer bytes are joined into buffers of `JOINED_BYTES`. */
const SMALL_PIECE_BYTES = 1_024;
const JOINED_BYTES = 8_192;

/**
 * A request that joins small pieces of its body while nothing reads them. Node would keep a buffer for each
 * piece: 64 KiB in chunks of one byte would take 17 MB for every waiting request.
 */
export class PieceJoiningRequest extends IncomingMessage {
  private joined: Buffer | null = null;
  private length = 0;

  override push(piece: Uint8Array | null, encoding?: BufferEncoding): boolean {
    // The first waiting piece is not joined, only the pieces after it. Most bodies have one piece, which then needs no copy.
    const isJoined = piece !== null && piece.length < SMALL_PIECE_BYTES && this.readableFlowing !== true && this.readableLength > 0;
    if (!isJoined) {
      this.pushJoined();
      return super.push(piece, encoding);
    }
    if (this.joined && this.length + piece.length > this.joined.length) this.pushJoined();
    this.joined ??= Buffer.allocUnsafeSlow(JOINED_BYTES);
    this.joined.set(piece, this.length);
    this.length += piece.length;
    // A stream that does not know that it is full waits for a piece, and never asks for more. The parser has stopped by then.
    if (this.readableLength < this.readableHighWaterMark && this.readableLength + this.length >= this.readableHighWaterMark)
      this.pushJoined();
    return this.readableLength < this.readableHighWaterMark;
  }

  override _read(size: number): void {
    this.pushJoined();
    super._read(size);
  }

  private pushJoined(): void {
    const { joined, length } = this;
    if (!joined) return;
    this.joined = null;
    this.length = 0;
    super.push(joined.subarray(0, length));
  }
}
