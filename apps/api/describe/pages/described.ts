import { digestTag } from '../../http/collections.js';
import type { PublicAddress } from '../../http/public-address.js';

/** A description as JSON; `etag` without quotes. */
export type Described = { readonly json: string; readonly etag: string };

/** Describes the service as JSON, once per public address. The address changes once if the port is chosen at the start. */
export const describedAt = (address: PublicAddress, describe: (publicUrl: string) => object): (() => Described) => {
  let made: (Described & { readonly url: string }) | null = null;
  return () => {
    const { url } = address;
    if (made?.url === url) return made;
    const json = JSON.stringify(describe(url));
    return (made = { url, json, etag: digestTag(json) });
  };
};
