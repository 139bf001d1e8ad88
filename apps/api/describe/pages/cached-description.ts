import { digestTag } from '../../http/collections.js';
import type { PublicAddress } from '../../http/public-address.js';

/** A description of the interface, such as /openapi.json, as JSON text. `etag` has no quotes. */
export type JsonDescription = { readonly json: string; readonly etag: string };

/**
 * Returns a function that describes the interface at the public URL. The function caches its result until the URL changes.
 * With PORT=0, the URL changes once, when the service listens and its port is known.
 */
export const cachedDescription = (address: PublicAddress, describe: (publicUrl: string) => object): (() => JsonDescription) => {
  const read = cachedText(address, (url) => JSON.stringify(describe(url)));
  return () => {
    const { text, etag } = read();
    return { json: text, etag };
  };
};

/** Returns a function like that of `cachedDescription`, for a text of any form. */
export const cachedText = (
  address: PublicAddress,
  write: (publicUrl: string) => string,
): (() => { readonly text: string; readonly etag: string }) => {
  let cached: { readonly text: string; readonly etag: string; readonly url: string } | null = null;
  return () => {
    const { url } = address;
    if (cached?.url === url) return cached;
    const text = write(url);
    return (cached = { url, text, etag: digestTag(text) });
  };
};
