import { IncomingMessage } from 'node:http';

/** Smaller pieces are joined while the body is not being read. */
const SMALL = 1_024;
const JOINED = 8_192;

/**
 * A request that joins the small pieces of its body while it waits. Node keeps a buffer for each piece,
 * up to 64 KiB in all: in chunks of one byte these take 17 MB for every waiting request.
 */
export class RequestInPieces extends IncomingMessage {
  private joined: Buffer | null = null;
  private length = 0;

  override push(piece: Uint8Array | null, encoding?: BufferEncoding): boolean {
    // Most bodies are one piece, which needs no copy.
    const isJoined = piece !== null && piece.length < SMALL && this.readableFlowing !== true && this.readableLength > 0;
    if (!isJoined) {
      this.pushJoined();
      return super.push(piece, encoding);
    }
    if (this.joined && this.length + piece.length > this.joined.length) this.pushJoined();
    this.joined ??= Buffer.allocUnsafeSlow(JOINED);
    this.joined.set(piece, this.length);
    this.length += piece.length;
    return this.readableLength + this.length < this.readableHighWaterMark;
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
