import { digestTag } from '../../http/collections.js';
import type { PublicAddress } from '../../http/public-address.js';

/** A document as JSON. `etag` has no quotes. */
export type JsonDescription = { readonly json: string; readonly etag: string };

/**
 * Returns a function that creates a document for the public URL, and caches it until the URL changes. The URL
 * changes once, if the operating system chooses the port.
 */
export const cachedDescription = (address: PublicAddress, describe: (publicUrl: string) => object): (() => JsonDescription) => {
  let cached: (JsonDescription & { readonly url: string }) | null = null;
  return () => {
    const { url } = address;
    if (cached?.url === url) return cached;
    const json = JSON.stringify(describe(url));
    return (cached = { url, json, etag: digestTag(json) });
  };
};
