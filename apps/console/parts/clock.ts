import { useEffect, useState } from 'preact/hooks';
import { createStore } from '../store.js';

const EVERY = 5_000;
const now = createStore(Date.now());
let timer: ReturnType<typeof setInterval> | undefined;
let users = 0;

/** Returns the time, and renders again every few seconds. All users share one timer. */
export const useNow = (): number => {
  const [value, setValue] = useState(Date.now);
  useEffect(() => {
    users += 1;
    timer ??= setInterval(() => now.set(Date.now()), EVERY);
    const stop = now.subscribe(() => setValue(now.get()));
    return () => {
      stop();
      users -= 1;
      if (users > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return value;
};
