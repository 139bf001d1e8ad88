export type OrderEvent = { readonly type: string };
