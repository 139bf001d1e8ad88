export type Signer = { readonly sign: (text: string) => string };
