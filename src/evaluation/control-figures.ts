/** Names the columns that controls add to the rows which they repeat. */

/** Name of the column that `swapped-evidence` adds to its row. */
export const EVIDENCE_RELIANCE = 'EvidenceReliance';
/**
 * Names of the columns that `flipped-evidence` adds: of all edits, and of those answered right
 * before.
 */
export const FOLLOWS_EDIT = 'FollowsEdit';
export const FOLLOWS_EDIT_WHEN_RIGHT = 'FollowsEdit(right before)';

/** The columns that controls add to rows; shares, from -1 to 1 for the first. */
export const CONTROL_FIGURES: readonly string[] = [
  EVIDENCE_RELIANCE,
  FOLLOWS_EDIT,
  FOLLOWS_EDIT_WHEN_RIGHT,
];
