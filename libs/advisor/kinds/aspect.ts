/** How well a kind of animal suits a circumstance: 0 not at all, 1 rather not, 2 on conditions, 3 well. */
export type Rank = 0 | 1 | 2 | 3;

/** What the guide says about an aspect. `{Many}` and `{many}` are replaced by the animals: "Rabbits", "rabbits". */
export type AspectText = {
  /** What the better one of two kinds does. */
  readonly better: string;
  /** One sentence for each rank, unless the kind has a sentence of its own. */
  readonly notes: readonly [string, string, string, string];
};

export const aspect = (better: string, ...notes: readonly [string, string, string, string]): AspectText => ({ better, notes });
