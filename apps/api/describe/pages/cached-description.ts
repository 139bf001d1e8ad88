import { digestTag } from '../../http/collections.js';
import type { PublicAddress } from '../../http/public-address.js';

/** A document as JSON. `etag` has no quotes. */
export type JsonDescription = { readonly json: string; readonly etag: string };

/**
 * Returns a function that returns a document for the public URL. The document is created again only when the URL
 * has changed, which happens once if the system chooses the port.
 */
export const cachedDescription = (address: PublicAddress, describe: (publicUrl: string) => object): (() => JsonDescription) => {
  let made: (JsonDescription & { readonly url: string }) | null = null;
  return () => {
    const { url } = address;
    if (made?.url === url) return made;
    const json = JSON.stringify(describe(url));
    return (made = { url, json, etag: digestTag(json) });
  };
};
