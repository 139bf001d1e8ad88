/** Runs one piece of work at a time, in the order of the calls. After a failure, the next one runs. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

export const createSerialQueue = (): SerialQueue => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
};
