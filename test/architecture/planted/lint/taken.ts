export type Taken = string;
