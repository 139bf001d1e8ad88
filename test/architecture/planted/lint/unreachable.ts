const unreachable = (value: never): never => {
  throw new Error(String(value));
};

export const say = (what: 'a' | 'b'): string => {
  switch (what) {
    case 'a':
      return 'A';
    case 'b':
      return 'B';
    default:
      return unreachable(what);
  }
};
