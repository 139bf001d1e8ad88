import { useEffect, useState } from 'preact/hooks';

/** A value that several parts of the page show. */
export type Store<T> = {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Calls `listener` after each change. Returns a function that stops this. */
  readonly subscribe: (listener: () => void) => () => void;
};

export const createStore = <T>(initial: T): Store<T> => {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

/** Returns the value of a store, and renders again when it changes. */
export const useStore = <T>(store: Store<T>): T => {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    const update = (): void => setValue(store.get);
    // The value may have changed between the first rendering and this effect.
    update();
    return store.subscribe(update);
  }, [store]);
  return value;
};
