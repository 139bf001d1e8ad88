/**
 * Frees the memory of a large buffer at once. The caller must not use the buffer afterwards: it is empty. The garbage
 * collector would free it later, in a collection of the whole heap that delays all requests by several milliseconds. Does
 * nothing if the buffer fills at most half of its ArrayBuffer: Node may have given the rest to other buffers.
 */
export const releaseMemory = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && byteLength > buffer.byteLength / 2) buffer.transfer(0);
};
