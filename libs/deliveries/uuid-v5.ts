import { hash } from 'node:crypto';

/** Computes a UUIDv5 (RFC 9562): equal namespaces (UUIDs) and equal names always produce the same id. */
export const uuidV5 = (namespace: string, name: string): string => {
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  const bytes = hash('sha1', Buffer.concat([space, Buffer.from(name, 'utf8')]), 'buffer');
  // Sets the version and the variant. Of the 20 bytes of SHA-1, the id has the first 16.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
