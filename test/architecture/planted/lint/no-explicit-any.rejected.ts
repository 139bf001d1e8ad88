export const take = (value: any): void => void value;
