/** What strategies share before they search: clauses, mentions, question types, slots. */
// Inside the room: conjunction.ts, source-anchored.ts, source-restricted.ts
export { driftCues, frequentTerms, literalCues } from './cues.ts';
export { type DateMention, findDates } from './dates.ts';
export { distinctNames, findMentions, type Mention } from './mentions.ts';
export { ClauseList, countWhitespaceWords, type PlannedQuery, type Planner, trimClause } from './planner.ts';
export { PLAN_PARAMETERS, planners } from './planners.ts';
export { asksYesOrNo, type PredictedType, predictQuestionType } from './question-type.ts';
export { findSlots, type Slot } from './slots.ts';
export { sourceNames } from './sources.ts';
