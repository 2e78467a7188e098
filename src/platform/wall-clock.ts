/** The time of day of this machine: for answers whose shape needs one, never for a trace. */
export const wallClock = (): number => Date.now();
