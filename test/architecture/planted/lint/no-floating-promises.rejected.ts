export const start = (): void => {
  Promise.resolve(1);
};
