/** The command did its work, and something of the result is missing, as a delivery or a line of output. */
export const EXIT_INCOMPLETE = 1;

/** The command was refused: its words, the settings, the folder or the servers are at fault. */
export const EXIT_REJECTED = 2;

/** The history is not what was written: the command did nothing, or left the altered streams out. */
export const EXIT_HISTORY = 3;
