/** Returns the time that an id contains, if it is a UUID of version 7; otherwise null. */
export const timeOfId = (id: string): Date | null => {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.exec(id) ?? [];
  return high === undefined || low === undefined ? null : new Date(Number.parseInt(high + low, 16));
};

/** Returns a new UUID of version 7, which begins with the time in milliseconds since 1970, so that the log need not be searched from its beginning. */
export const timeOrderedId = (now: number): string => {
  const time = now.toString(16).padStart(12, '0');
  const random = [...crypto.getRandomValues(new Uint8Array(10))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = '89ab'[Number.parseInt(random.slice(-1), 16) % 4] ?? '8';
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(3, 6)}-${random.slice(6, 18)}`;
};
