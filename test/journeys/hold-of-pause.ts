/**
 * Adds resources until the lag of a paused read model has grown with `growths` of them in a row: another process may follow the log for
 * a second more.
 */
export const untilPauseHolds = async (add: () => Promise<unknown>, readLag: () => Promise<number>, growths = 20): Promise<void> => {
  for (let [lag, grown] = [0, 0]; grown < growths;) {
    await add();
    const next = await readLag();
    grown = next > lag ? grown + 1 : next < lag ? 0 : grown;
    lag = next;
  }
};
