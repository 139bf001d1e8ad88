export const say = (what: 'a' | 'b'): string => {
  switch (what) {
    case 'a':
      return 'A';
  }
  return '';
};
