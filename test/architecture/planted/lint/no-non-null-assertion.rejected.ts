export const first = (list: string[] | null): string => list![0] ?? '';
