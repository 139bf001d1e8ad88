/** An event of a stream of server-sent events. */
export type ServerEvent = { readonly event: string; readonly data: string };

/**
 * Returns a function that takes the next piece of a stream of server-sent events, and returns the events that the piece ends.
 * A piece may end anywhere, also between CR and LF. Comments and the fields `id` and `retry` are left out.
 */
export const eventsParser = (): ((piece: string) => readonly ServerEvent[]) => {
  let rest = '';
  let event = '';
  let data: string[] = [];

  const take = (line: string): ServerEvent | undefined => {
    if (line === '') {
      const ended = data.length > 0 ? { event: event || 'message', data: data.join('\n') } : undefined;
      event = '';
      data = [];
      return ended;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
    return undefined;
  };

  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    return lines.flatMap((line) => take(line) ?? []);
  };
};
