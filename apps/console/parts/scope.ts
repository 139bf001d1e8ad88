type Scope = { readonly tenant: string | null; readonly stream: string | null };

/** Returns the events of an export in words. */
export const scopeWords = ({ tenant, stream }: Scope): string => {
  if (stream !== null) return `of the stream ${stream}`;
  if (tenant === null) return 'of the whole log';
  return tenant === 'shared' ? 'of the shared pool' : `of the tenant ${tenant}`;
};

/** Returns what a whole export proves about missing events (contract 35.6). */
export const completenessWords = ({ stream }: Scope): string =>
  stream === null ? 'None is missing in the range.' : 'None of the stream is missing in between.';
