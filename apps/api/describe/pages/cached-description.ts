import { digestTag } from '../../http/collections.js';
import type { PublicAddress } from '../../http/public-address.js';

/** A description of the interface, such as /openapi.json, as JSON text. `etag` has no quotes. */
export type JsonDescription = { readonly json: string; readonly etag: string };

/**
 * Returns a function that describes the interface at the public URL. The function caches its result until the URL changes.
 * With PORT=0, the URL changes once, when the service listens and its port is known.
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
